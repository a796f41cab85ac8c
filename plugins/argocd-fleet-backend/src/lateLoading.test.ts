import { readAccess } from './kubernetes/client/readAccess';

const mockLoaded = jest.fn();

jest.mock('@kubernetes/client-node', () => {
  mockLoaded();
  return jest.requireActual('@kubernetes/client-node');
});

describe("the Kubernetes library, most of the plugin's size", () => {
  it('is loaded when a hub is reached, not with the plugin', async () => {
    const { default: plugin } = require('.');
    expect(plugin).toBeDefined();
    expect(mockLoaded).not.toHaveBeenCalled();
    await readAccess({ url: 'https://127.0.0.1:6443', token: 'x' });
    expect(mockLoaded).toHaveBeenCalledTimes(1);
  });
});
