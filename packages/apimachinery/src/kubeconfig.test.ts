import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kubeconfigFor, writeKubeconfig } from './kubeconfig';

describe('kubeconfigFor', () => {
  const server = 'http://127.0.0.1:4000';

  it('names the server in its current context', () => {
    expect(parse(kubeconfigFor({ name: 'hub', server }))).toMatchObject({
      'current-context': 'hub',
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'hub' } }],
      clusters: [{ name: 'hub', cluster: { server } }],
      users: [{ name: 'hub', user: {} }],
    });
  });

  it('carries a bearer token', () => {
    const { users } = parse(kubeconfigFor({ name: 'hub', server, token: 't' }));
    expect(users).toEqual([{ name: 'hub', user: { token: 't' } }]);
  });
});

describe('writeKubeconfig', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('replaces the file, creates its directory, and leaves no other file there', () => {
    const path = join(directory, 'deep', 'kubeconfig');
    writeKubeconfig(path, 'old');
    writeKubeconfig(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(join(directory, 'deep'))).toEqual(['kubeconfig']);
    expect(statSync(path).mode % 0o1000).toBe(0o600);
  });

  it('leaves no temporary file where it cannot write', () => {
    const path = join(directory, 'kubeconfig');
    mkdirSync(join(path, 'not-a-file'), { recursive: true });
    expect(() => writeKubeconfig(path, 'text')).toThrow();
    expect(readdirSync(directory)).toEqual(['kubeconfig']);
  });
});
