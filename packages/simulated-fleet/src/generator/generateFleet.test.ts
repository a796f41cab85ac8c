import { pollUntil } from 'apimachinery';
import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';

import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { ManagedCluster, PlacementDecision } from '../kubernetes/clusterTypes';
import { KubeObject } from '../kubernetes/objects';
import { resourcePath, seedableResources } from '../kubernetes/resources';
import { placementDecisions } from '../kubernetes/resources';
import { ManifestWork } from '../kubernetes/workTypes';
import { defaultScenario } from '../scenario/loadScenario';
import { startSimulatedFleet } from '../startSimulatedFleet';
import { workOf } from '../__testUtils__/pullModelWorks';
import { FleetPlan } from './fleetPlan';
import { generateFleet } from './generateFleet';

const plan: FleetPlan = {
  seed: 'test',
  clusters: 12,
  applicationSets: 3,
  troubled: 0.4,
  silent: 0.3,
  buildWork: workOf,
};

function generate(changes: Partial<FleetPlan> = {}): KubeObject[] {
  return [...generateFleet({ ...plan, ...changes })];
}

/** JSON drops undefined members. */
const asJson = (value: object | undefined) =>
  value && JSON.parse(JSON.stringify(value));

const ofKind = <T extends KubeObject>(objects: KubeObject[], kind: string) =>
  objects.filter(object => object.kind === kind) as T[];

let hub: EmbeddedHub;

afterEach(() => hub?.stop());

describe('a generated fleet', () => {
  it('has the planned number of objects of each kind', () => {
    const objects = generate();
    const counts: Record<string, number> = {};
    for (const { kind } of objects) {
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    expect(counts).toEqual({
      Namespace: 13,
      ManagedCluster: 12,
      Secret: 12,
      ManagedClusterSet: 3,
      ManagedClusterSetBinding: 3,
      Placement: 1,
      PlacementDecision: 1,
      ConfigMap: 1,
      AppProject: 1,
      GitOpsCluster: 1,
      ApplicationSet: 3,
      Application: 36,
      ManifestWork: 36,
    });
  });

  it('is the same for the same seed, and differs for another seed', () => {
    expect(generate()).toEqual(generate());
    const other = generate({ seed: 'other' });
    expect(other).toHaveLength(generate().length);
    expect(other).not.toEqual(generate());
  });

  it('keeps the existing clusters when the fleet grows', () => {
    const name = (object: KubeObject) => object.metadata.name;
    const small = ofKind(generate(), 'ManagedCluster').map(name);
    const large = ofKind(generate({ clusters: 20 }), 'ManagedCluster').map(
      name,
    );
    expect(large.slice(0, 12)).toEqual(small);
  });

  it('has at most a hundred clusters in one PlacementDecision', () => {
    const objects = generate({ clusters: 230, applicationSets: 0 });
    const sizes = ofKind<PlacementDecision>(objects, 'PlacementDecision').map(
      ({ status }) => status?.decisions?.length,
    );
    expect(sizes).toEqual([100, 100, 30]);
  });

  it('has unique UIDs', () => {
    const uids = generate().map(({ metadata }) => metadata.uid);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('is healthy when the shares of trouble and silent clusters are 0', () => {
    const objects = generate({ troubled: 0, silent: 0 });
    for (const { status } of ofKind<Application>(objects, 'Application')) {
      expect(status).toMatchObject({
        health: { status: 'Healthy' },
        sync: { status: 'Synced' },
        operationState: { phase: 'Succeeded' },
      });
    }
    for (const { status } of ofKind<ManagedCluster>(
      objects,
      'ManagedCluster',
    )) {
      expect(status?.conditions?.every(c => c.status === 'True')).toBe(true);
    }
  });

  it('has every kind of trouble when all Applications are troubled', () => {
    const statuses = ofKind<Application>(
      generate({ troubled: 1 }),
      'Application',
    ).map(({ status }) => `${status?.health?.status} ${status?.sync?.status}`);
    expect([...new Set(statuses)].sort()).toEqual([
      'Degraded Synced',
      'Healthy Unknown',
      'Missing OutOfSync',
      'Progressing Synced',
      'Suspended Synced',
    ]);
  });

  it('has silent clusters with a taint and an Unknown condition', () => {
    const clusters = ofKind<ManagedCluster>(
      generate({ silent: 1 }),
      'ManagedCluster',
    );
    expect(clusters[0].spec?.taints).toHaveLength(1);
    expect(clusters[0].status?.conditions?.at(-1)).toMatchObject({
      type: 'ManagedClusterConditionAvailable',
      status: 'Unknown',
    });
  });

  it("has works whose feedback equals their Applications' status", () => {
    const objects = generate();
    const works = ofKind<ManifestWork>(objects, 'ManifestWork');
    const applications = ofKind<Application>(objects, 'Application');
    works.forEach((work, index) => {
      const { status, metadata } = applications[index];
      const [manifest] = work.status?.resourceStatus?.manifests ?? [];
      const feedback = Object.fromEntries(
        (manifest.statusFeedback?.values ?? []).map(({ name, fieldValue }) => [
          name,
          fieldValue.string,
        ]),
      );
      expect(manifest.resourceMeta.name).toBe(metadata.name);
      expect(feedback).toEqual({
        healthStatus: status?.health?.status,
        syncStatus: status?.sync?.status,
        syncRevision: status?.sync?.revision,
        operationStateStartedAt: status?.operationState?.startedAt,
      });
      const ready = manifest.conditions.find(
        ({ type }) => type === 'ApplicationReady',
      );
      expect(ready).toMatchObject({
        status:
          feedback.healthStatus === 'Healthy' &&
          feedback.syncStatus === 'Synced'
            ? 'True'
            : 'False',
        message: expect.stringMatching(/^digest\n/),
      });
    });
    // All sample values are replaced.
    expect(JSON.stringify(objects)).not.toMatch(/sample|1999-01-01/);
  });

  it.each<[Partial<FleetPlan>, string]>([
    [{ clusters: -1 }, 'A fleet cannot have -1 clusters'],
    [{ applicationSets: 1.5 }, 'A fleet cannot have 1.5 applicationSets'],
    [{ troubled: 2 }, 'The share "troubled" of a fleet cannot be 2'],
    [{ silent: NaN }, 'The share "silent" of a fleet cannot be NaN'],
  ])('rejects the plan %j', (changes, message) => {
    expect(() => generate(changes)).toThrow(message);
  });
});

describe('a generated fleet on a hub', () => {
  const send = async (method: string, path: string, object: KubeObject) => {
    const response = await fetch(hub.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    });
    const body = await response.json();
    return response.ok ? body : Promise.reject(new Error(body.message));
  };

  it('has only valid objects and statuses', async () => {
    hub = await startEmbeddedHub();
    for (const object of generate({ clusters: 4, troubled: 0.6 })) {
      const { uid, ownerReferences, ...metadata } = object.metadata;
      const resource = [...seedableResources, placementDecisions].find(
        ({ kind }) => kind === object.kind,
      )!;
      const { namespace, name } = object.metadata;
      const created = await send('POST', resourcePath(resource, namespace), {
        ...object,
        // The owners have other UIDs on this hub, which would garbage-collect the object.
        metadata,
      });
      // Application has no status subresource.
      const written =
        object.status && object.kind !== 'Application'
          ? await send(
              'PUT',
              resourcePath(resource, namespace, name, 'status'),
              { ...created, status: object.status },
            )
          : { status: object.status };
      expect(written.status).toEqual(asJson(object.status));
    }
    expect(hub.requests.every(({ status }) => status < 300)).toBe(true);
  });

  it('leaves nothing to write for the controllers', async () => {
    hub = await startEmbeddedHub({
      snapshot: generateFleet({ ...plan, clusters: 6 }),
    });
    const fleet = await startSimulatedFleet({
      kubeconfig: hub.kubeconfig(),
      scenario: { ...defaultScenario, clusters: [], objects: [], faults: [] },
    });
    await fleet.ready;
    // The status of a new set shows that the controllers have reconciled all sets.
    const [set] = ofKind<ApplicationSet>(generate(), 'ApplicationSet');
    await send(
      'POST',
      resourcePath(
        seedableResources.find(({ kind }) => kind === 'ApplicationSet')!,
        set.metadata.namespace,
      ),
      {
        ...set,
        metadata: { name: 'zz-last', namespace: set.metadata.namespace },
        spec: {
          generators: [{ list: { elements: [] } }],
          template: set.spec?.template,
        },
      } as KubeObject,
    );
    await pollUntil(
      () => hub.requests,
      requests =>
        requests.some(
          ({ verb, name }) => verb === 'patch' && name === 'zz-last',
        ),
    );
    await fleet.stop();
    const writes = hub.requests.filter(
      ({ verb, name, resource }) =>
        ['create', 'update', 'patch', 'delete'].includes(verb) &&
        name !== 'zz-last' &&
        resource !== 'applicationsets',
    );
    expect(writes).toEqual([]);
  });
});
