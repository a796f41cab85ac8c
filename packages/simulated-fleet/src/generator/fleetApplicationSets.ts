import {
  Application,
  ApplicationSet,
  ApplicationTemplate,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { PLACEMENT_NAME } from './fleetPlacement';
import { CompletePlan } from './fleetPlan';
import { SeededChoice } from './seededChoice';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const PREFIX = 'apps.open-cluster-management.io';

/** The names of the sets of a fleet; after the last one they repeat with a number. */
const PRODUCTS = [
  'guestbook',
  'payments',
  'inventory',
  'telemetry',
  'checkout',
  'ingress',
  'price-tags',
  'loyalty',
  'backup',
  'kiosk',
] as const;

/** The ApplicationSets of a fleet; each generates one pull-model Application for every selected cluster. */
export function fleetApplicationSets(
  plan: CompletePlan,
  choose: SeededChoice,
): ApplicationSet[] {
  return Array.from({ length: plan.applicationSets }, (_, index) => {
    const product = PRODUCTS[index % PRODUCTS.length];
    const round = Math.floor(index / PRODUCTS.length);
    const name = round === 0 ? product : `${product}-${round + 1}`;
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: {
        name,
        namespace: plan.namespace,
        uid: choose.uid('ApplicationSet', name),
        creationTimestamp: kubeTime(new Date(plan.now.getTime() - WEEK_MS)),
        generation: 1,
      },
      spec: {
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: 'ocm-placement-generator',
              labelSelector: {
                matchLabels: {
                  'cluster.open-cluster-management.io/placement':
                    PLACEMENT_NAME,
                },
              },
              requeueAfterSeconds: 180,
            },
          },
        ],
        template: template(name, choose),
      },
    };
  });
}

function template(set: string, choose: SeededChoice): ApplicationTemplate {
  const release = `v1.${Math.floor(choose.share('release', set) * 40)}.0`;
  return {
    metadata: {
      name: `{{name}}-${set}`,
      labels: { [`${PREFIX}/pull-to-ocm-managed-cluster`]: 'true' },
      annotations: {
        [`${PREFIX}/ocm-managed-cluster`]: '{{name}}',
        'argocd.argoproj.io/skip-reconcile': 'true',
      },
    },
    spec: {
      project: 'default',
      source: {
        repoURL: `https://git.example.com/fleet/${set}.git`,
        path: `deploy/${set}`,
        targetRevision: release,
      },
      destination: { server: 'https://kubernetes.default.svc', namespace: set },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['CreateNamespace=true'],
      },
    },
  };
}

/** The Application that a set generates for a cluster, as created by Argo CD. */
export function applicationOf(
  set: ApplicationSet,
  cluster: string,
  uid: string,
): Application {
  const { name, uid: setUid = '', creationTimestamp } = set.metadata;
  const rendered = JSON.parse(
    JSON.stringify(set.spec?.template).replaceAll('{{name}}', cluster),
  );
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...rendered.metadata,
      namespace: set.metadata.namespace,
      uid,
      creationTimestamp,
      generation: 1,
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name,
          uid: setUid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: rendered.spec,
  };
}
