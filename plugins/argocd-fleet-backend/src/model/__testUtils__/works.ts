import type {
  ArgoApplication,
  Condition,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { targetCluster } from '../delivery/deliveryModel';
import { workNames } from '../delivery/workName';
import { buildManifestWork } from '../manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../manifestwork/workPlan';
import { application, deepFreeze } from './applications';

/** Time at which the simulated agent reported. */
export const REPORTED = '2026-11-21T10:05:00Z';

/** The work of an Application, as propagation creates it. */
export function workOf(app: ArgoApplication = application()): ManifestWork {
  return deepFreeze(
    buildManifestWork(
      app,
      { cluster: targetCluster(app)!, name: workNames(app)[0] },
      DEFAULT_PROPAGATION,
    ),
  );
}

/** The lines of a digest about what Argo CD compared with. */
export function comparisonLines({ spec }: ArgoApplication): string[][] {
  const { source, sources = [source!], destination } = spec;
  const { server = '', name = '', namespace = '' } = destination ?? {};
  return [
    ['d', server, name, namespace, '='],
    ...sources.map(({ repoURL, path, chart, targetRevision, ref }) => [
      't',
      ...[repoURL, path, chart, targetRevision, ref].map(field => field ?? ''),
    ]),
  ];
}

/** The work after its agent has reported. */
export function reportedWork(
  parts: {
    work?: ManifestWork;
    feedback?: Record<string, string>;
    digest?: readonly (readonly string[])[];
    /** The digest also says that Argo CD compared with what the work delivers. */
    compared?: boolean;
    ready?: Partial<Condition>;
    applied?: Partial<Condition>;
    available?: Partial<Condition>;
  } = {},
): ManifestWork {
  const {
    work = workOf(),
    feedback = {},
    compared = false,
    ready,
    applied,
    available,
  } = parts;
  const payload = work.spec.workload!.manifests!.find(
    manifest => manifest.kind === 'Application',
  )!;
  const digest = parts.digest && [
    ...parts.digest,
    ...(compared ? comparisonLines(payload as ArgoApplication) : []),
  ];
  const resources = digest?.filter(([tag]) => tag === 'r').length;
  const message =
    digest &&
    [[`argocd-fleet-digest/1`, String(resources)], ...digest, ['.']]
      .map(fields => fields.join('\t'))
      .join('\n');
  const condition = (type: string, other: Partial<Condition> = {}) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: '2026-11-21T10:01:00Z',
    ...other,
  });
  return deepFreeze({
    ...work,
    metadata: {
      ...work.metadata,
      generation: 1,
      creationTimestamp: '2026-11-21T10:00:01Z',
    },
    status: {
      conditions: [
        condition('Applied', {
          message: 'Apply manifest work complete',
          ...applied,
        }),
        condition('Available'),
      ],
      resourceStatus: {
        manifests: [
          {
            resourceMeta: { ordinal: 0, group: '', kind: 'Namespace' },
            conditions: [condition('Applied')],
          },
          {
            resourceMeta: {
              ordinal: 1,
              group: 'argoproj.io',
              version: 'v1alpha1',
              kind: 'Application',
              resource: 'applications',
              namespace: payload.metadata.namespace,
              name: payload.metadata.name,
            },
            conditions: [
              condition('Applied', applied),
              condition('Available', available),
              ...(message || ready
                ? [
                    condition('ApplicationReady', {
                      status: 'False',
                      message,
                      lastTransitionTime: REPORTED,
                      ...ready,
                    }),
                  ]
                : []),
            ],
            statusFeedback: {
              values: Object.entries(feedback).map(([name, value]) => ({
                name,
                fieldValue: { type: 'String', string: value },
              })),
            },
          },
        ],
      },
    },
  });
}
