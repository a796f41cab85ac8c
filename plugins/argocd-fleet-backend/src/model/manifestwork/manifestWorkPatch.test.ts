import {
  PULL_LABEL,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { application, deepFreeze } from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { isReadOnlyWork } from '../delivery/workManifests';
import { buildManifestWork } from './manifestWork';
import { manifestWorkPatch } from './manifestWorkPatch';
import { oneShotFields } from './oneShotFields';
import { DEFAULT_PROPAGATION } from './workPlan';

const desired = workOf();

type Editable<T> = T extends object
  ? { -readonly [K in keyof T]-?: Editable<NonNullable<T[K]>> }
  : T;

/** A changed copy, as another writer would leave it. */
function changed(change: (work: Editable<ManifestWork>) => void): ManifestWork {
  const copy = structuredClone(desired);
  change(copy as Editable<ManifestWork>);
  return deepFreeze(JSON.parse(JSON.stringify(copy)));
}

const namespaceManifest = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'guestbook' },
};

const namespaceConfig = {
  resourceIdentifier: { group: '', resource: 'namespaces', name: 'guestbook' },
};

function withoutPullLabel(labels: Record<string, string>) {
  const { [PULL_LABEL]: pull, ...rest } = labels;
  expect(pull).toBe('true');
  return rest;
}

describe('nothing is written', () => {
  it.each<[string, ManifestWork]>([
    ['when the work equals the desired one', desired],
    ['when the agent has reported', reportedWork()],
    [
      'when OCM and the API server filled in their defaults',
      changed(({ metadata, spec }) => {
        metadata.uid = '1';
        metadata.resourceVersion = '7';
        metadata.finalizers = ['cluster.open-cluster-management.io/cleanup'];
        metadata.labels['other/writer'] = 'x';
        Object.assign(spec, {
          deleteOption: { propagationPolicy: 'Foreground' },
        });
        const [config] = spec.manifestConfigs;
        config.updateStrategy.serverSideApply.fieldManager = 'work-agent';
        config.feedbackRules[0].jsonPaths.reverse();
      }),
    ],
    [
      'when RHACM created it: no pull label, an extra Namespace, Go’s empty fields',
      changed(({ metadata, spec }) => {
        metadata.labels = withoutPullLabel(metadata.labels);
        Object.assign(spec.workload, {
          manifests: [namespaceManifest, ...spec.workload.manifests],
        });
        const [, payload] = spec.workload.manifests;
        Object.assign(payload, { status: {} });
        Object.assign(payload.metadata, { creationTimestamp: null });
        Object.assign(spec, {
          manifestConfigs: [...spec.manifestConfigs, namespaceConfig],
        });
      }),
    ],
    [
      'when it has one feedback rule for each path',
      changed(({ spec }) => {
        const [config] = spec.manifestConfigs;
        config.feedbackRules = config.feedbackRules.flatMap(
          ({ type, jsonPaths }) =>
            jsonPaths.map(path => ({ type, jsonPaths: [path] })),
        );
      }),
    ],
    [
      'when another controller added an operation and a refresh',
      changed(({ spec }) => {
        const [payload] = spec.workload.manifests;
        Object.assign(payload, { operation: { sync: {} } });
        payload.metadata.annotations['argocd.argoproj.io/refresh'] = 'hard';
      }),
    ],
  ])('%s', (_, existing) => {
    const oneShot = oneShotFields(application(), existing, Date.now());
    expect(manifestWorkPatch(existing, desired)).toBeUndefined();
    expect(manifestWorkPatch(existing, desired, oneShot)).toBeUndefined();
  });
});

describe('only the difference is written', () => {
  const next = workOf(
    application({ spec: { source: { repoURL: 'x', targetRevision: 'v2' } } }),
  );

  it('of the Application, keeping other manifests', () => {
    const existing = changed(({ spec }) => {
      Object.assign(spec.workload, {
        manifests: [namespaceManifest, ...spec.workload.manifests],
      });
    });
    expect(manifestWorkPatch(existing, next)).toEqual({
      spec: {
        workload: {
          manifests: [namespaceManifest, next.spec.workload!.manifests![0]],
        },
      },
    });
  });

  it('of its configuration, keeping configurations of other writers', () => {
    const existing = changed(({ spec }) => {
      const [{ conditionRules, ...config }] = spec.manifestConfigs;
      expect(conditionRules).toHaveLength(1);
      Object.assign(spec, { manifestConfigs: [namespaceConfig, config] });
    });
    expect(manifestWorkPatch(existing, desired)).toEqual({
      spec: {
        manifestConfigs: [desired.spec.manifestConfigs![0], namespaceConfig],
      },
    });
  });

  it('of the scrape type', () => {
    const existing = changed(({ spec }) => {
      spec.manifestConfigs[0].feedbackScrapeType = 'Poll';
    });
    expect(manifestWorkPatch(existing, desired)).toEqual({
      spec: { manifestConfigs: desired.spec.manifestConfigs },
    });
  });

  it('of labels and annotations, removing own ones that no longer apply', () => {
    const orphaned = workOf(application({ metadata: { ownerReferences: [] } }));
    const existing = changed(({ metadata }) => {
      metadata.labels[PULL_LABEL] = 'false';
      metadata.labels['other/writer'] = 'x';
    });
    expect(manifestWorkPatch(existing, orphaned)?.metadata).toEqual({
      labels: {
        [PULL_LABEL]: 'true',
        'apps.open-cluster-management.io/application-set': null,
        'apps.open-cluster-management.io/application-set-hash': null,
      },
      annotations: {
        'apps.open-cluster-management.io/hosting-applicationset': null,
      },
    });
  });

  it('of a work without the Application, which gets it back', () => {
    const existing = changed(({ spec }) => {
      Object.assign(spec, { workload: {} });
    });
    expect(manifestWorkPatch(existing, desired)).toEqual({
      spec: { workload: desired.spec.workload },
    });
  });

  it('of companion manifests and their delete option', () => {
    const withCompanion = buildManifestWork(
      application(),
      { cluster: 'cluster1', name: desired.metadata.name },
      { ...DEFAULT_PROPAGATION, includeNamespace: true },
    );
    const { manifests } = withCompanion.spec.workload!;
    expect(manifestWorkPatch(desired, withCompanion)).toEqual({
      spec: {
        workload: { manifests },
        deleteOption: withCompanion.spec.deleteOption,
      },
    });
    expect(manifestWorkPatch(withCompanion, withCompanion)).toBeUndefined();
    expect(manifestWorkPatch(withCompanion, desired)).toBeUndefined();
  });

  it('of the delete option, keeping the rules of other writers', () => {
    const rule = (name: string) => ({
      group: '',
      resource: 'namespaces',
      name,
    });
    const orphaning = (...names: string[]) => ({
      ...desired,
      spec: {
        ...desired.spec,
        deleteOption: {
          propagationPolicy: 'SelectivelyOrphan',
          selectivelyOrphans: { orphaningRules: names.map(rule) },
        },
      },
    });
    expect(
      manifestWorkPatch(orphaning('a', 'b'), orphaning('b')),
    ).toBeUndefined();
    expect(manifestWorkPatch(orphaning('a'), orphaning('b'))).toEqual({
      spec: { deleteOption: orphaning('a', 'b').spec.deleteOption },
    });
  });

  it('of a read-only work, which then delivers', () => {
    const existing = changed(({ spec }) => {
      Object.assign(spec.manifestConfigs[0], {
        updateStrategy: { type: 'ReadOnly' },
      });
    });
    expect(manifestWorkPatch(existing, desired)).toEqual({
      spec: { manifestConfigs: desired.spec.manifestConfigs },
    });
  });
});

it('a planned work is not read-only', () => {
  expect(isReadOnlyWork(desired)).toBe(false);
});
