import { spawnSync } from 'node:child_process';
import { buildFinding } from '../__testUtils__/buildFinding';
import { FINDINGS } from './catalogue';
import { clusterFindings } from './clusterFindings';

it.each(FINDINGS.map(definition => [definition.code, definition] as const))(
  'builds %s with its code, its severity and texts',
  (code, definition) => {
    expect(code).toMatch(/^AFC-\d{3}$/);
    const finding = buildFinding(definition, 'x');
    expect(finding).toMatchObject({ code, severity: definition.severity });
    expect(finding.title).not.toBe('');
    expect(finding.message).not.toBe('');
  },
);

it('gives each finding a code of its own', () => {
  const codes = FINDINGS.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(60);
  expect(new Set(codes).size).toBe(codes.length);
});

describe('the commands to copy', () => {
  /** Defined before a command: a kubectl that prints nothing for any arguments. */
  const KUBECTL = 'kubectl() { cat >/dev/null; }; ';

  function run(command: string): string {
    const { stdout } = spawnSync('sh', ['-c', `${KUBECTL}${command}`], {
      encoding: 'utf8',
      input: '',
    });
    return stdout;
  }

  it.each([
    'x; echo injected',
    '$(echo injected >&2; echo injected)',
    "'; echo injected; '",
    'x\necho injected\n',
    'x\nEOF\necho injected',
  ])('run nothing that is in a name: %j', evil => {
    const commands = FINDINGS.flatMap(
      definition => buildFinding(definition, evil).fix?.command ?? [],
    ).filter(command => command.startsWith('kubectl'));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.map(run).join('')).toBe('');
  });

  it('grant permissions only to a legal name, on a legal name', () => {
    const { forbidden } = clusterFindings;
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

  it('show legal names without quotes', () => {
    expect(
      clusterFindings.clusterSilent('cluster1', undefined).fix?.command,
    ).toBe(
      'kubectl --context cluster1 -n open-cluster-management-agent get pods',
    );
  });
});
