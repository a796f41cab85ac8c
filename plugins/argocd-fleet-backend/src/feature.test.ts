import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { existsSync } from 'node:fs';
import feature from '.';
import { REQUIRED_FILES } from './installation';

jest.mock('node:fs', () => {
  const actual = jest.requireActual('node:fs');
  return { ...actual, existsSync: jest.fn(actual.existsSync) };
});
const mockExists = jest.mocked(existsSync);

function start(...features: (typeof feature)[]): Promise<TestBackend> {
  return startTestBackend({
    features: [
      catalogServiceMock.factory({ entities: [] }),
      mockServices.rootConfig.factory({ data: {} }),
      ...features,
    ],
  });
}

async function messageOf(starting: Promise<TestBackend>): Promise<string> {
  return starting.then(
    async backend => {
      await backend.stop();
      return 'started';
    },
    error => error.message,
  );
}

describe('the start of a backend', () => {
  afterEach(() => {
    mockExists.mockImplementation(jest.requireActual('node:fs').existsSync);
  });

  it('succeeds with the plugin, also of several backends in one process', async () => {
    const started = await Promise.all([start(feature), start(feature)]);
    await Promise.all(started.map(backend => backend.stop()));
    expect(started).toHaveLength(2);
  });

  it.each(REQUIRED_FILES)(
    'ends with one line about the installation without %s',
    async file => {
      const { existsSync: exists } = jest.requireActual('node:fs');
      mockExists.mockImplementation(
        path => !String(path).endsWith(file) && exists(path),
      );
      const message = await messageOf(start(feature));
      expect(message).toContain(
        `is incomplete: ${file} missing. Install the package again`,
      );
      expect(message).not.toContain('\n');
    },
  );

  it('ends with one line about what is added twice', async () => {
    const message = await messageOf(start(feature, feature));
    expect(message).toMatch(
      /backstage-plugin-argocd-fleet-backend in .* is added to the backend twice\. Remove one of the lines that add it, usually in packages\/backend\/src\/index\.ts$/,
    );
    expect(message).not.toContain('\n');
  });

  it('ends with one line about two installed copies', async () => {
    let copy: typeof feature | undefined;
    jest.isolateModules(() => {
      jest.doMock('./installation', () => {
        const actual = jest.requireActual('./installation');
        return {
          ...actual,
          assertAddedOnce: (backend: object) =>
            actual.assertAddedOnce(backend, '/other/node_modules/copy'),
        };
      });
      copy = require('.').default;
    });
    const message = await messageOf(start(feature, copy!));
    expect(message).toMatch(
      /is installed twice, and both copies are added to the backend: .*argocd-fleet-backend and \/other\/node_modules\/copy\. Remove one/,
    );
    expect(message).not.toContain('\n');
  });
});
