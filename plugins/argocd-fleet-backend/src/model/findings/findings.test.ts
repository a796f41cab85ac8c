import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
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

it.each(FINDINGS.map(definition => [definition.code, definition] as const))(
  'shows no invisible characters and no secrets of URLs in the texts of %s',
  (_, definition) => {
    const hostile =
      '\u202Eevil\u001B[2J https://user:hunter2@git.example/?token=hunter2 x';
    const { fix, ...texts } = buildFinding(definition, hostile);
    const descriptions = [fix, ...(fix?.alternatives ?? [])].map(
      each => each?.description,
    );
    const shown = JSON.stringify([texts, descriptions]);
    expect(shown).not.toContain('hunter2');
    expect(shown).not.toMatch(/\p{Bidi_Control}|\\u001b/iu);
  },
);

it('cuts the evidence of a finding', () => {
  const evidence = 'x'.repeat(200_000);
  const finding = clusterFindings.syncFailed('cluster1', { evidence });
  expect(Buffer.byteLength(finding.evidence!)).toBeLessThanOrEqual(4_096);
  expect(finding.evidence).toMatch(/x… \[cut\]$/);
});

describe('the commands to copy', () => {
  /** Runs each of its arguments as a command, beside a kubectl that prints nothing for any arguments. */
  const SCRIPT = `
    kubectl() { cat >/dev/null; }
    for command; do (eval "$command") </dev/null; done`;

  function run(commands: readonly string[]): string {
    const { stdout } = spawnSync('sh', ['-c', SCRIPT, 'sh', ...commands], {
      encoding: 'utf8',
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
    const commands = FINDINGS.flatMap(definition => {
      const { fix } = buildFinding(definition, evil);
      return [fix, ...(fix?.alternatives ?? [])];
    })
      .flatMap(way => way?.command ?? [])
      .filter(command => command.startsWith('kubectl'));
    expect(commands.length).toBeGreaterThan(20);
    expect(run(commands)).toBe('');
    // What is injected would be seen, also after a command that is no shell's.
    expect(run(['kubectl get x )', 'kubectl get x; echo run'])).toBe('run\n');
  });

  it('name the API group of every resource: a hub may serve others of the same name', () => {
    const named = FINDINGS.flatMap(definition => {
      const { fix } = buildFinding(definition, 'x');
      return [fix, ...(fix?.alternatives ?? [])];
    })
      .flatMap(way => way?.command?.split('\n') ?? [])
      .flatMap(line => /^kubectl (.*)/.exec(line)?.[1] ?? [])
      // A path of the API server, not a resource.
      .filter(line => !line.includes(' get --raw '))
      .flatMap(
        line =>
          /(?:^| )(?:get|describe|delete|patch|annotate|label|create|restart) (?:--?\S+ )*(\S+)/.exec(
            line,
          )?.[1] ?? [],
      )
      .flatMap(resources => resources.split(','));
    expect(named.length).toBeGreaterThan(20);
    const core = [
      'configmap',
      'configmaps',
      'namespace',
      'pods',
      'secret',
      'secrets',
      'token',
    ];
    expect(
      named.filter(name => !name.includes('.') && !core.includes(name)),
    ).toEqual([]);
  });

  it.each([
    '-rf',
    '--kubeconfig=/tmp/evil',
    'a\u202Eb',
    'a\u2066b\u2069',
    'x\u001B[2Jy',
    'https://user:hunter2@hub.example.com/?token=hunter2',
    'A_b',
    'x'.repeat(300),
  ])('name nothing that does not pass as a Kubernetes name: %j', text => {
    const fixes = FINDINGS.flatMap(definition => {
      const { fix } = buildFinding(definition, text);
      return [fix, ...(fix?.alternatives ?? [])];
    });
    const commands = fixes.flatMap(fix => fix?.command ?? []);
    expect(commands.length).toBeGreaterThan(20);
    // Rules of RBAC and configuration are of our own resources and options.
    const pasted = commands.filter(command =>
      /^(kubectl|argocd)/.test(command),
    );
    expect(pasted.filter(command => command.includes(text))).toEqual([]);
    expect(pasted.join('')).not.toMatch(/(?![\n])[\p{Cc}\p{Bidi_Control}]/u);
  });

  const denied = {
    cluster: 'cluster1',
    verb: 'create',
    kinds: ['pods'],
    namespaces: ['shop'],
    account: { namespace: 'argocd', name: 'argocd-application-controller' },
    trusted: true,
  };
  const fixOf = (change: Partial<typeof denied> = {}) =>
    clusterFindings.forbidden({ ...denied, ...change }).fix!;

  it('grant permissions only to a legal name, on a legal name', () => {
    expect(fixOf().command).toContain('kubectl apply');
    const evil = 'x\nEOF\necho injected';
    for (const parts of [
      { cluster: evil },
      { account: { ...denied.account, namespace: evil } },
      { account: { ...denied.account, name: evil } },
      { namespaces: ['shop', evil] },
      { trusted: false },
    ]) {
      const fix = fixOf(parts);
      expect(fix.command).toBeUndefined();
      expect(fix.alternatives).toBeUndefined();
      expect(fix.description).not.toContain('injected');
    }
  });

  it('grant permissions in the namespaces first, and name what makes Argo CD cluster-admin', () => {
    const { description, command, alternatives } = fixOf();
    expect(description).toMatch(/in the namespace shop, and nothing elsewhere/);
    expect(command).not.toContain('cluster-admin');
    expect(alternatives).toMatchObject([
      {
        command:
          'kubectl --context cluster1 label namespace shop argocd.argoproj.io/managed-by=argocd',
      },
      {
        description: expect.stringContaining(
          'makes Argo CD cluster-admin of the whole cluster cluster1',
        ),
        command: expect.stringContaining('name: cluster-admin'),
      },
    ]);
    const wide = fixOf({ namespaces: [] });
    expect(wide.command).toBeUndefined();
    expect(wide.description).not.toContain('cluster-admin');
    expect(wide.alternatives).toEqual([alternatives?.[1]]);
  });

  it('grant permissions with works of OCM alone, one for each namespace', () => {
    const { command } = fixOf({ namespaces: ['shop', 'blog'] });
    const [, yaml] = command!.match(
      /^kubectl apply -f - <<'EOF'\n(.*)\nEOF$/s,
    )!;
    const works = parseAllDocuments(yaml).map(document => document.toJS());
    expect(works.map(({ metadata }) => metadata)).toEqual([
      { name: 'argo-admin-argocd.shop', namespace: 'cluster1' },
      { name: 'argo-admin-argocd.blog', namespace: 'cluster1' },
    ]);
    const metadata = { name: 'argo-admin-argocd', namespace: 'blog' };
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    expect(works[1].spec.workload.manifests).toEqual([
      {
        apiVersion,
        kind: 'Role',
        metadata,
        rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata,
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'Role',
          name: 'argo-admin-argocd',
        },
        subjects: [{ kind: 'ServiceAccount', ...denied.account }],
      },
    ]);
  });

  it('show legal names without quotes', () => {
    expect(
      clusterFindings.clusterSilent('cluster1', undefined).fix?.command,
    ).toBe(
      'kubectl --context cluster1 -n open-cluster-management-agent get pods',
    );
  });
});
