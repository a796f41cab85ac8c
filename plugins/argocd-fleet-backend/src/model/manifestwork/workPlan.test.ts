import {
  isNamespaceName,
  isObjectName,
  labelValue,
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { SEED } from '../../__testUtils__/randomCases';
import { application, managedCluster } from '../__testUtils__/applications';
import { MAX_WORK_NAME, workNames } from '../delivery/workName';
import {
  DEFAULT_PROPAGATION,
  planManifestWork,
  type DeliveryFacts,
} from './workPlan';

const clusters = [
  managedCluster('local-cluster', { labels: { 'local-cluster': 'true' } }),
  managedCluster('cluster1'),
  managedCluster('cluster2'),
];

function factsOf(app: ArgoApplication): DeliveryFacts {
  const cluster = app.metadata.annotations?.[MANAGED_CLUSTER_ANNOTATION];
  return {
    managedCluster: clusters.find(({ metadata }) => metadata.name === cluster),
    authorisation: {
      verdict:
        app.metadata.namespace === 'openshift-gitops' && cluster !== 'cluster2'
          ? 'authorised'
          : 'undecided',
    },
    takenNames: [],
  };
}

const options = DEFAULT_PROPAGATION;

function plan(
  app: ArgoApplication,
  facts: Partial<DeliveryFacts> = {},
  other: Partial<typeof options> = {},
) {
  return planManifestWork(
    app,
    { ...factsOf(app), ...facts },
    { ...options, ...other },
  );
}

/** A work of that name that puts its Application into a namespace. */
function work(name: string, namespace: string): ManifestWork {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name, namespace: 'cluster1' },
    spec: {
      workload: {
        manifests: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'Application',
            metadata: { name: 'app', namespace },
          },
        ],
      },
    },
  };
}

describe('an Application that is delivered', () => {
  it.each<[string, Partial<ArgoApplication>, Partial<DeliveryFacts>]>([
    ['Application', { unreadable: 'nests too deep' }, {}],
    [
      'ManifestWork',
      {},
      { existing: { ...work('shop', 'argocd'), unreadable: 'nests too deep' } },
    ],
  ])(
    'is that nothing is written where the %s cannot be read',
    (kind, change, facts) => {
      expect(plan({ ...application(), ...change }, facts)).toMatchObject({
        kind: 'refused',
        finding: {
          code: 'AFC-129',
          object: { kind },
          message: expect.stringContaining('nests too deep, so nothing is'),
        },
      });
    },
  );

  it('gets a work in the namespace of its cluster, named after it and its UID', () => {
    expect(plan(application())).toMatchObject({
      kind: 'apply',
      work: {
        metadata: {
          namespace: 'cluster1',
          name: 'cluster1-guestbook-app-2fc44',
        },
      },
    });
  });

  it('gets its whole UID in the name if another Application has the short name', () => {
    const takenNames = ['cluster1-guestbook-app-2fc44'];
    const name = 'cluster1-guestbook-app-2fc44e07-6c4c-4b0e-9a49-2f2d7f9d3c11';
    expect(plan(application(), { takenNames })).toMatchObject({
      work: { metadata: { name } },
    });
  });

  it('keeps the name of its existing work', () => {
    const [, long] = workNames(application());
    const existing = work(long, 'openshift-gitops');
    expect(plan(application(), { existing })).toMatchObject({
      work: { metadata: { name: long } },
    });
  });
});

describe('an Application that is not delivered', () => {
  const annotated = (annotations: Record<string, string>) =>
    application({ metadata: { annotations } });

  it.each<[string, string, ArgoApplication]>([
    ['names no cluster', 'AFC-101', annotated({})],
    [
      'names an empty cluster',
      'AFC-101',
      annotated({ [MANAGED_CLUSTER_ANNOTATION]: ' ' }),
    ],
    [
      'names a cluster that does not exist',
      'AFC-102',
      application({ cluster: 'cluster9' }),
    ],
    [
      'names an invalid cluster',
      'AFC-103',
      annotated({ [MANAGED_CLUSTER_ANNOTATION]: '../cluster1' }),
    ],
    [
      'names an invalid namespace',
      'AFC-103',
      annotated({
        [MANAGED_CLUSTER_ANNOTATION]: 'cluster1',
        [APP_NAMESPACE_ANNOTATION]: 'Open_Shift',
      }),
    ],
    [
      'names a cluster that no decision selects',
      'AFC-104',
      application({ cluster: 'cluster2' }),
    ],
    [
      'is selected by a decision of another namespace only',
      'AFC-104',
      application({ metadata: { namespace: 'tenant' } }),
    ],
    [
      'exceeds the size limit of a work',
      'AFC-105',
      application({ spec: { values: 'x'.repeat(512_000) } }),
    ],
    [
      'exceeds the size limit as the API server writes it',
      'AFC-105',
      application({ spec: { values: '<'.repeat(90_000) } }),
    ],
  ])('%s: %s', (_, code, app) => {
    expect(plan(app)).toMatchObject({
      kind: 'refused',
      finding: { code, severity: 'error', object: { name: app.metadata.name } },
    });
  });

  it('finds all its work names taken', () => {
    expect(
      plan(application(), { takenNames: workNames(application()) }),
    ).toMatchObject({ kind: 'refused', finding: { code: 'AFC-106' } });
  });

  it('has the hub itself as target, unless that is allowed', () => {
    const local = application({ cluster: 'local-cluster' });
    expect(plan(local)).toEqual({
      kind: 'excluded',
      reason: expect.stringContaining('the hub itself'),
    });
    expect(plan(local, {}, { allowLocalCluster: true }).kind).toBe('apply');
  });

  it('needs no decision if the configuration does not require one', () => {
    const app = application({ cluster: 'cluster2' });
    expect(plan(app, {}, { requireDecision: false }).kind).toBe('apply');
  });

  it.each([
    ['is not changed while the hub is listed', true, 'refused'],
    ['is kept up to date where it may not be read', undefined, 'apply'],
  ])('has a work that %s', (_, isPending, kind) => {
    const [name] = workNames(application());
    expect(
      plan(application(), {
        authorisation: { verdict: 'unverified', isPending },
        existing: work(name, 'openshift-gitops'),
      }),
    ).toMatchObject({
      kind,
      ...(kind === 'refused' && { finding: { code: 'AFC-116' } }),
    });
  });
});

describe('the namespace on the managed cluster', () => {
  const placed = (namespace: string, wanted: string) =>
    application({
      metadata: {
        namespace,
        annotations: {
          [MANAGED_CLUSTER_ANNOTATION]: 'cluster1',
          [APP_NAMESPACE_ANNOTATION]: wanted,
        },
      },
    });
  const selected = {
    authorisation: { verdict: 'authorised' as const },
  };
  const planned = (
    namespace: string,
    wanted: string,
    configured: Record<string, string[]> = {},
  ) =>
    plan(placed(namespace, wanted), selected, {
      appNamespaces: new Map(Object.entries(configured)),
    });

  it.each<[string, string, Record<string, string[]>]>([
    ['openshift-gitops', 'openshift-gitops', {}],
    ['team-a', 'team-a', {}],
    ['team-a', 'argocd', { 'team-a': ['argocd'] }],
    ['openshift-gitops', 'argocd', { 'openshift-gitops': ['argocd'] }],
  ])('of a tenant in %s may be %s with %j', (namespace, wanted, configured) => {
    expect(planned(namespace, wanted, configured)).toMatchObject({
      kind: 'apply',
    });
  });

  it.each<[string, string, Record<string, string[]>]>([
    ['team-a', 'openshift-gitops', {}],
    ['team-a', 'team-b', {}],
    ['team-a', 'kube-system', {}],
    ['openshift-gitops', 'team-a', {}],
    ['team-a', 'openshift-gitops', { 'team-b': ['openshift-gitops'] }],
    ['team-a', 'team-a', { 'team-a': ['argocd'] }],
    ['argocd', 'argocd', { argocd: [] }],
    ['constructor', 'name', {}],
  ])(
    'of a tenant in %s is refused as %s with %j',
    (namespace, wanted, configured) => {
      expect(planned(namespace, wanted, configured)).toMatchObject({
        kind: 'refused',
        finding: { code: 'AFC-113', severity: 'error' },
      });
    },
  );

  it('is not suggested to be allowed where the Application never was', () => {
    for (const deliveredNamespace of [undefined, 'team-a'] as const) {
      const refused = plan(placed('team-a', 'kube-system'), {
        ...selected,
        existing: deliveredNamespace && work('work', deliveredNamespace),
      });
      expect(refused).toMatchObject({ finding: { code: 'AFC-113' } });
      expect(refused).not.toHaveProperty('finding.fix.command');
    }
  });

  it('is allowed by the configuration that the finding shows, where the Application is already', () => {
    const refused = plan(placed('team-a', 'argocd'), {
      ...selected,
      existing: work('work', 'argocd'),
    });
    expect(refused).toMatchObject({
      finding: {
        message: expect.stringContaining(
          'Applications of the namespace team-a may use team-a on managed clusters, and this one is for argocd',
        ),
        fix: {
          command: [
            'argocdFleet:',
            '  propagation:',
            '    appNamespaces:',
            "      'team-a': ['team-a', 'argocd']",
          ].join('\n'),
        },
      },
    });
  });

  it('comes along, but never one of the system', () => {
    const companions = (namespace: string) => {
      const result = plan(application({ metadata: { namespace } }), selected, {
        includeNamespace: true,
      });
      return result.kind === 'apply'
        ? {
            kinds: result.work.spec.workload?.manifests?.map(
              ({ kind }) => kind,
            ),
            findings: result.findings?.map(({ code }) => code),
          }
        : result;
    };
    for (const own of ['team-a', 'openshift-gitops', 'kubernetes']) {
      expect(companions(own)).toEqual({ kinds: ['Namespace', 'Application'] });
    }
    for (const system of ['kube-system', 'openshift', 'openshift-config']) {
      expect(companions(system)).toEqual({
        kinds: ['Application'],
        findings: ['AFC-114'],
      });
    }
  });
});

describe('names', () => {
  const uid = fc.uuid();
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,250}[a-z0-9])?$/);

  it('of works are valid, leave room for the agent’s prefix, and differ with the UID', () => {
    fc.assert(
      fc.property(name.filter(isObjectName), uid, uid, (own, one, other) => {
        const [a, b] = [one, other].map(id =>
          workNames(application({ metadata: { name: own, uid: id } })),
        );
        for (const candidate of [...a, ...b]) {
          expect(isObjectName(candidate)).toBe(true);
          expect(candidate.length).toBeLessThanOrEqual(MAX_WORK_NAME);
        }
        expect(a.at(-1) === b.at(-1)).toBe(one === other);
      }),
      { seed: SEED },
    );
  });

  it('become valid label values at any length', () => {
    fc.assert(
      fc.property(name, text => {
        const value = labelValue(`openshift-gitops.${text}`);
        expect(value.length).toBeLessThanOrEqual(63);
        expect(value).toMatch(/^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/);
      }),
      { seed: SEED },
    );
  });

  it.each([
    ['cluster1', true],
    ['a'.repeat(63), true],
    ['a'.repeat(64), false],
    ['a.b', false],
    ['-a', false],
    ['A', false],
    ['', false],
  ])('of namespaces: %s', (text, valid) => {
    expect(isNamespaceName(text)).toBe(valid);
  });
});

it('plans the same for the same Application, and does not change the Application', () => {
  const app = application({ metadata: { labels: { [PULL_LABEL]: 'T' } } });
  expect(plan(app)).toEqual(plan(app));
});
