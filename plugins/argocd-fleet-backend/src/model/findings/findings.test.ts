import { spawnSync } from 'node:child_process';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { findings } from './findings';

type Make = (...parts: unknown[]) => Finding;

/** In front of a command: whatever it gets, this kubectl says nothing. */
const KUBECTL = 'kubectl() { cat >/dev/null; }; ';

function run(command: string): string {
  const { stdout } = spawnSync('sh', ['-c', `${KUBECTL}${command}`], {
    encoding: 'utf8',
    input: '',
  });
  return stdout;
}

describe('the commands to copy', () => {
  const { forbidden, placeTaken, ...others } = findings;
  const object = (name: string) => ({ object: { kind: 'ManifestWork', name } });

  it.each([
    'x; echo injected',
    '$(echo injected >&2; echo injected)',
    "'; echo injected; '",
    'x\necho injected\n',
    'x\nEOF\necho injected',
  ])('run nothing that is in a name: %j', evil => {
    const made = [
      ...Object.values(others).map(make =>
        (make as Make)(
          ...Array.from({ length: make.length }, () => evil),
          object(evil),
        ),
      ),
      placeTaken(evil, { namespace: evil, name: evil }),
    ];
    const commands = made
      .flatMap(({ fix }) => fix?.command ?? [])
      .filter(command => command.startsWith('kubectl'));
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.map(run).join('')).toBe('');
  });

  it('give rights only to what has a name, on what has one', () => {
    const denied = {
      cluster: 'cluster1',
      verb: 'create',
      kinds: ['pods'],
      namespaces: [],
      account: { namespace: 'argocd', name: 'argocd-application-controller' },
      trusted: true,
    };
    expect(forbidden(denied).fix?.command).toContain('cluster-admin');
    const evil = 'x\nEOF\necho injected';
    for (const parts of [
      { cluster: evil },
      { account: { ...denied.account, namespace: evil } },
      { account: { ...denied.account, name: evil } },
      { trusted: false },
    ]) {
      const { fix } = forbidden({ ...denied, ...parts });
      expect(fix?.command).toBeUndefined();
      expect(fix?.description).not.toContain('injected');
    }
  });

  it('leave names as they are', () => {
    expect(findings.clusterSilent('cluster1', undefined).fix?.command).toBe(
      'kubectl --context cluster1 -n open-cluster-management-agent get pods',
    );
  });
});
