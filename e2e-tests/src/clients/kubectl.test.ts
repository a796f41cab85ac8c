import { KUBECTL_BINARY, RUN } from '../environment';
import { applicationManifest } from '../hub/manifests';
import { eventually, LIMIT_MS } from '../polling';
import { Kubectl } from './kubectl';
import { TESTED_HUBS } from './testedHubs';

// Some tests wait for the garbage collector of a real hub.
jest.setTimeout(2 * LIMIT_MS);

function configMap(name: string, data: object, metadata: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...metadata },
    data,
  };
}

function application(name: string, targetRevision: string) {
  return applicationManifest(name, { targetRevision });
}

// Skipped without kubectl: it is no npm package. `npm run test:real-hub` finds it in KUBEBUILDER_ASSETS or builds it.
(KUBECTL_BINARY ? describe : describe.skip).each(TESTED_HUBS)(
  'kubectl (`npm run test:real-hub`) on $name',
  ({ start, collectsGarbage }) => {
    const namespace = `kubectl-${RUN}`;
    let kubectl: Kubectl;
    let stop = async () => {};
    const run = (command: string, input?: object) =>
      kubectl.run(['-n', namespace, ...command.split(/ +/)], input);
    const print = (command: string, input?: object) =>
      kubectl.print(['-n', namespace, ...command.split(' ')], input);
    const get = async (target: string) =>
      JSON.parse(await print(`get ${target} -o json`));

    beforeAll(async () => {
      const hub = await start();
      stop = hub.stop;
      kubectl = new Kubectl(KUBECTL_BINARY!, hub.kubeconfig);
      await kubectl.print(['create', 'namespace', namespace]);
    });
    afterAll(async () => {
      await kubectl.print(['delete', 'ns', namespace, '--wait=false']);
      kubectl.dispose();
      await stop();
    });

    it('discovers the resources', async () => {
      const text = await print('api-resources');
      const rows = text.split('\n').map(line => line.trim().split(/\s+/));
      for (const row of [
        ['configmaps', 'cm', 'v1', 'true', 'ConfigMap'],
        ['applications', 'app,apps', 'argoproj.io/v1alpha1', 'true'],
        ['managedclusters', 'cluster.open-cluster-management.io/v1', 'false'],
        ['manifestworks', 'work.open-cluster-management.io/v1', 'true'],
      ]) {
        expect(rows).toContainEqual(expect.arrayContaining(row));
      }
    });

    it('applies: creates, leaves unchanged, updates, removes fields', async () => {
      const apply = (data: object) =>
        print('apply -f -', configMap('applied', data));
      expect(await apply({ a: '1', b: '1' })).toBe(
        'configmap/applied created\n',
      );
      expect(await apply({ a: '1', b: '1' })).toBe(
        'configmap/applied unchanged\n',
      );
      expect(await apply({ a: '2' })).toBe('configmap/applied configured\n');
      expect((await get('cm applied')).data).toEqual({ a: '2' });
    });

    it('applies custom objects', async () => {
      const name = 'application.argoproj.io/applied';
      const apply = (revision: string) =>
        print('apply -f -', application('applied', revision));
      expect(await apply('v1')).toBe(`${name} created\n`);
      expect(await apply('v1')).toBe(`${name} unchanged\n`);
      expect(await apply('v2')).toBe(`${name} configured\n`);
      const { spec } = await get('app applied');
      expect(spec.source.targetRevision).toBe('v2');
    });

    it('applies on the server side and names the owner of a field in a conflict', async () => {
      const apply = (options: string, value: string) =>
        run(
          `apply --server-side ${options} -f -`,
          configMap('owned', { a: value }),
        );
      expect((await apply('', '1')).stdout).toBe(
        'configmap/owned serverside-applied\n',
      );
      const refused = await apply('--field-manager=other', '2');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        'Apply failed with 1 conflict: conflict with "kubectl": .data.a',
      );
      const forced = await apply(
        '--field-manager=other --force-conflicts',
        '2',
      );
      expect(forced.code).toBe(0);
      expect((await get('cm owned')).data).toEqual({ a: '2' });
    });

    it.each([
      ['client', ''],
      ['server', '--server-side'],
    ])('shows the diff of a %s-side apply', async (side, option) => {
      const name = `different-${side}`;
      await run(`apply ${option} -f -`, application(name, 'v1'));
      const diff = (revision: string) =>
        run(`diff ${option} -f -`, application(name, revision));
      expect(await diff('v1')).toMatchObject({ code: 0, stdout: '' });
      const { code, stdout } = await diff('v2');
      expect(code).toBe(1);
      expect(stdout).toMatch(/^-\s+targetRevision: v1$/m);
      expect(stdout).toMatch(/^\+\s+targetRevision: v2$/m);
      const { spec } = await get(`app ${name}`);
      expect(spec.source.targetRevision).toBe('v1');
    });

    it('keeps last-applied-configuration up to date across client-side and server-side apply', async () => {
      await print('apply -f -', configMap('both', { a: '1' }));
      await print(
        'apply --server-side --force-conflicts -f -',
        configMap('both', { a: '2', b: '1' }),
      );
      const { metadata } = await get('cm both');
      expect(
        metadata.annotations[
          'kubectl.kubernetes.io/last-applied-configuration'
        ],
      ).toBe(
        `{"apiVersion":"v1","data":{"a":"2","b":"1"},"kind":"ConfigMap","metadata":{"name":"both","namespace":"${namespace}"}}\n`,
      );
      await print('apply -f -', configMap('both', { a: '2' }));
      expect((await get('cm both')).data).toEqual({ a: '2' });
    });

    it('patches with each patch type', async () => {
      await print('create -f -', configMap('patched', { a: '1' }));
      const patch = (type: string, body: unknown) =>
        print(
          `patch cm patched --type=${type} --patch=${JSON.stringify(body)}`,
        );
      expect(await patch('strategic', { data: { b: '2' } })).toBe(
        'configmap/patched patched\n',
      );
      await patch('merge', { data: { c: '3', a: null } });
      await patch('json', [{ op: 'replace', path: '/data/b', value: '4' }]);
      expect((await get('cm patched')).data).toEqual({ b: '4', c: '3' });
      expect(await patch('merge', { data: { c: '3' } })).toBe(
        'configmap/patched patched (no change)\n',
      );
    });

    it('adds, changes and removes labels', async () => {
      await print('create -f -', configMap('labelled', {}));
      await print('label cm labelled tier=gold');
      expect(await print('get cm -l tier=gold -o name')).toBe(
        'configmap/labelled\n',
      );
      const refused = await run('label cm labelled tier=silver');
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        "'tier' already has a value (gold), and --overwrite is false",
      );
      await print('label cm labelled tier=silver --overwrite');
      expect(await print('label cm labelled tier-')).toBe(
        'configmap/labelled unlabeled\n',
      );
      expect((await get('cm labelled')).metadata.labels).toBeUndefined();
    });

    it('watches as table rows', async () => {
      await print('create -f -', application('seen', 'v1'));
      const watch = kubectl.watch([
        ...['-n', namespace, 'get', 'app', 'seen', '-w'],
        ...['--output-watch-events', '--no-headers'],
      ]);
      try {
        const rows = (count: number) =>
          eventually(
            () => watch.lines.map(line => line.trim().split(/\s+/)),
            lines => lines.length >= count,
          );
        await rows(1);
        await print(
          `patch app seen --type=merge --patch=${JSON.stringify({
            status: {
              sync: { status: 'Synced' },
              health: { status: 'Healthy' },
            },
          })}`,
        );
        await rows(2);
        await print('delete app seen');
        expect(await rows(3)).toEqual([
          ['ADDED', 'seen'],
          ['MODIFIED', 'seen', 'Synced', 'Healthy'],
          ['DELETED', 'seen', 'Synced', 'Healthy'],
        ]);
      } finally {
        await watch.stop();
      }
    });

    it('waits for a value, a condition and a deletion', async () => {
      await print('create -f -', configMap('awaited', { phase: 'one' }));
      const phase = print(
        'wait cm/awaited --for=jsonpath={.data.phase}=two --timeout=60s',
      );
      await print('patch cm awaited --patch={"data":{"phase":"two"}}');
      expect(await phase).toBe('configmap/awaited condition met\n');
      const established = await print(
        'wait crd/applications.argoproj.io --for=condition=Established --timeout=60s',
      );
      expect(established).toContain('condition met');
      const end = run('wait cm/awaited --for=delete --timeout=60s');
      await print('delete cm awaited');
      expect((await end).code).toBe(0);
      expect((await run('get cm awaited')).stderr).toContain('(NotFound)');
      const late = await run(
        'wait crd/applications.argoproj.io --for=condition=Sleepy --timeout=1s',
      );
      expect(late).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('timed out waiting for the condition'),
      });
    });

    if (!collectsGarbage) {
      // Reported as not run: an API server alone collects no garbage.
      it.todo('deletes with each cascade (needs kube-controller-manager)');
      return;
    }
    it.each([
      ['background', false],
      ['foreground', false],
      ['orphan', true],
    ])('deletes with cascade=%s', async (cascade, keepsDependents) => {
      const name = `owner-${cascade}`;
      await print('create -f -', application(name, 'v1'));
      const { metadata } = await get(`app ${name}`);
      const owner = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Application',
        name,
        uid: metadata.uid,
        blockOwnerDeletion: true,
      };
      await print(
        'create -f -',
        configMap(name, {}, { ownerReferences: [owner] }),
      );
      expect(await print(`delete app ${name} --cascade=${cascade}`)).toContain(
        `application.argoproj.io "${name}" deleted`,
      );
      const owners = await eventually(
        async () => {
          const { items } = await get('cm');
          const found = items.find(
            (item: { metadata: { name: string } }) =>
              item.metadata.name === name,
          );
          return found ? (found.metadata.ownerReferences ?? []) : 'gone';
        },
        value => value === 'gone' || value.length === 0,
      );
      expect(owners).toEqual(keepsDependents ? [] : 'gone');
    });
  },
);
