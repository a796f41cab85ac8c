import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { HubUnderTest, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../testObjects';
import { RecordedEvent } from '../watchRecorder';

const NAMESPACE = `watched-${RUN}`;
const PATH = `${NAMESPACES}/${NAMESPACE}/configmaps`;

export function watchCases(contractCase: DeclareCase, hub: HubUnderTest) {
  beforeAll(() => hub.create(NAMESPACES, { metadata: { name: NAMESPACE } }));
  afterAll(() => hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`));
  beforeEach(() => hub.call('DELETE', PATH));

  const currentVersion = async () =>
    (await hub.get(PATH)).body.metadata.resourceVersion;
  const labelled = (name: string, color: string) =>
    configMap(name, { labels: { color } });

  contractCase('send every change since a resourceVersion', async () => {
    const start = await currentVersion();
    await hub.create(PATH, configMap('a'));
    await hub.merge(`${PATH}/a`, { data: { k: 'v' } });
    await hub.call('DELETE', `${PATH}/a`);
    const watcher = await hub.watch(`${PATH}?watch=1&resourceVersion=${start}`);
    await watcher.waitForChanges(3);
    expect(watcher.changes).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    await watcher.stop();
  });

  contractCase('send changes as they happen', async () => {
    const watcher = await hub.watch(
      `${PATH}?watch=1&resourceVersion=${await currentVersion()}`,
    );
    await hub.create(PATH, configMap('a'));
    await watcher.waitForChanges(1);
    await hub.merge(`${PATH}/a`, { data: { k: 'v' } });
    await watcher.waitForChanges(2);
    expect(watcher.changes).toEqual(['ADDED a', 'MODIFIED a']);
    await watcher.stop();
  });

  contractCase('send each object in its state at the event', async () => {
    const start = await currentVersion();
    const created = await hub.create(PATH, configMap('a'));
    const changed = await hub.merge(`${PATH}/a`, { data: { k: 'v' } });
    await hub.call('DELETE', `${PATH}/a`);
    const watcher = await hub.watch(`${PATH}?watch=1&resourceVersion=${start}`);
    const events = await watcher.waitForChanges(3);
    expect(events[0].object).toEqual(created);
    expect(events[1].object).toEqual(changed);
    expect(events[2].object.data).toEqual({ k: 'v' });
    expect(Number(events[2].object.metadata.resourceVersion)).toBeGreaterThan(
      Number(changed.metadata.resourceVersion),
    );
    await watcher.stop();
  });

  contractCase(
    'start with existing objects without a resourceVersion',
    async () => {
      await hub.create(PATH, configMap('a'));
      await hub.create(PATH, configMap('b'));
      const watcher = await hub.watch(`${PATH}?watch=1`);
      await watcher.waitForChanges(2);
      expect([...watcher.changes].sort()).toEqual(['ADDED a', 'ADDED b']);
      await watcher.stop();
    },
  );

  contractCase(
    'start with existing objects for resourceVersion 0',
    async () => {
      await hub.create(PATH, configMap('a'));
      const watcher = await hub.watch(`${PATH}?watch=true&resourceVersion=0`);
      await watcher.waitForChanges(1);
      expect(watcher.changes).toEqual(['ADDED a']);
      await watcher.stop();
    },
  );

  contractCase('end the initial events with a bookmark', async () => {
    await hub.create(PATH, configMap('a'));
    const watcher = await hub.watch(
      `${PATH}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    const bookmark = await watcher.waitForBookmark();
    expect(watcher.changes).toEqual(['ADDED a']);
    expect(bookmark?.object).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: {
        resourceVersion: expect.stringMatching(/^\d+$/),
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    });
    await watcher.stop();
  });

  contractCase('continue after the initial events', async () => {
    await hub.create(PATH, configMap('a'));
    const watcher = await hub.watch(
      `${PATH}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    await watcher.waitForBookmark();
    await hub.create(PATH, configMap('b'));
    await watcher.waitForChanges(2);
    expect(watcher.changes).toEqual(['ADDED a', 'ADDED b']);
    await watcher.stop();
  });

  contractCase('send bookmarks on request', async () => {
    const start = await currentVersion();
    const path = `${PATH}?watch=1&resourceVersion=${start}&allowWatchBookmarks=true&timeoutSeconds=4`;
    let bookmark: RecordedEvent | undefined;
    // Kubernetes does not guarantee bookmarks, but usually sends one before a watch ends.
    for (let watch = 0; watch < 5 && !bookmark; watch++) {
      const watcher = await hub.watch(path);
      bookmark = await watcher.waitForBookmark();
      await watcher.stop();
    }
    expect(
      Number(bookmark?.object.metadata.resourceVersion),
    ).toBeGreaterThanOrEqual(Number(start));
  });

  contractCase('end after their timeout', async () => {
    const seen: string[] = [];
    // Not at once: it sends a change first. On a busy machine, the change may come too late for the first watch.
    for (const seconds of [1, 5, 25]) {
      const watcher = await hub.watch(
        `${PATH}?watch=1&resourceVersion=${await currentVersion()}&timeoutSeconds=${seconds}`,
      );
      await hub.create(PATH, configMap(`within-${seconds}`));
      await watcher.ended;
      seen.push(...watcher.changes);
      if (seen.length > 0) {
        break;
      }
    }
    expect(seen).toEqual([expect.stringMatching(/^ADDED within-/)]);
  });

  contractCase(
    'send ADDED and DELETED when an object starts and stops matching a selector',
    async () => {
      const watcher = await hub.watch(
        `${PATH}?watch=1&resourceVersion=${await currentVersion()}&labelSelector=color%3Dred`,
      );
      await hub.create(PATH, labelled('a', 'green'));
      await hub.merge(`${PATH}/a`, { metadata: { labels: { color: 'red' } } });
      await hub.merge(`${PATH}/a`, { data: { k: 'v' } });
      const relabelled = await hub.merge(`${PATH}/a`, {
        metadata: { labels: { color: 'blue' } },
      });
      const events = await watcher.waitForChanges(3);
      expect(watcher.changes).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
      expect(events[2].object.metadata).toMatchObject({
        labels: { color: 'red' },
        resourceVersion: relabelled.metadata.resourceVersion,
      });
      await watcher.stop();
    },
  );

  contractCase('send the changes of one object by name', async () => {
    const watcher = await hub.watch(
      `${PATH}?watch=1&resourceVersion=${await currentVersion()}&fieldSelector=metadata.name%3Db`,
    );
    await hub.create(PATH, configMap('a'));
    await hub.create(PATH, configMap('b'));
    await watcher.waitForChanges(1);
    expect(watcher.changes).toEqual(['ADDED b']);
    await watcher.stop();
  });

  contractCase('send the changes of all namespaces', async () => {
    const watcher = await hub.watch(
      `/api/v1/configmaps?watch=1&resourceVersion=${await currentVersion()}&labelSelector=run%3D${RUN}`,
    );
    await hub.create(PATH, configMap('a', { labels: { run: RUN } }));
    await hub.create(
      '/api/v1/namespaces/default/configmaps',
      configMap(`b-${RUN}`, { labels: { run: RUN } }),
    );
    await watcher.waitForChanges(2);
    expect(watcher.changes).toEqual(['ADDED a', `ADDED b-${RUN}`]);
    await watcher.stop();
    await hub.call('DELETE', `/api/v1/namespaces/default/configmaps/b-${RUN}`);
  });

  contractCase('answer 410 to an old resourceVersion', async () => {
    // No server has a history of the suite's own resource from before its definition.
    const watcher = await hub.watch(
      `${WIDGETS}?watch=1&resourceVersion=1&timeoutSeconds=5`,
    );
    await watcher.ended;
    expect(watcher.events).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: expect.stringMatching(
            /^too old resource version: 1 \(\d+\)$/,
          ),
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
  });

  contractCase('send custom resources in the requested version', async () => {
    const { body } = await hub.get(WIDGETS);
    const watcher = await hub.watch(
      `${WIDGETS.replace('/v1/', '/v1beta1/')}?watch=1&resourceVersion=${body.metadata.resourceVersion}`,
    );
    await hub.create(WIDGETS, widget({}, { name: 'watched' }));
    const [event] = await watcher.waitForChanges(1);
    expect(event.object.apiVersion).toMatch(/\/v1beta1$/);
    await watcher.stop();
  });

  contractCase('send Tables on request', async () => {
    const watcher = await hub.watch(
      `${PATH}?watch=1&resourceVersion=${await currentVersion()}`,
      { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    );
    await hub.create(PATH, configMap('a'));
    const [event] = await watcher.waitForChanges(1);
    expect(event.object).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
    });
    expect(event.object.rows[0].cells[0]).toBe('a');
    await watcher.stop();
  });

  contractCase(
    'send MODIFIED when an object is marked for deletion',
    async () => {
      const start = await currentVersion();
      await hub.create(
        PATH,
        configMap('a', { finalizers: ['a.example/hold'] }),
      );
      await hub.call('DELETE', `${PATH}/a`);
      await hub.merge(`${PATH}/a`, { metadata: { finalizers: null } });
      const watcher = await hub.watch(
        `${PATH}?watch=1&resourceVersion=${start}`,
      );
      await watcher.waitForChanges(3);
      expect(watcher.changes).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
      await watcher.stop();
    },
  );

  contractCase('send nothing for writes that change nothing', async () => {
    await hub.create(PATH, { ...configMap('a'), data: { k: 'v' } });
    const watcher = await hub.watch(
      `${PATH}?watch=1&resourceVersion=${await currentVersion()}`,
    );
    await hub.merge(`${PATH}/a`, { data: { k: 'v' } });
    await hub.create(PATH, configMap('b'));
    await watcher.waitForChanges(1);
    expect(watcher.changes).toEqual(['ADDED b']);
    await watcher.stop();
  });
}
