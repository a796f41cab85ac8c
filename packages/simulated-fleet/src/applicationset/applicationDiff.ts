import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { mergePatchOf } from '../kubernetes/json';
import { JsonObject, OwnerReference } from '../kubernetes/objects';

/** Annotations that belong to Argo CD itself and survive every update. */
const PRESERVED_ANNOTATIONS = [
  'notified.notifications.argoproj.io',
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
];

/** The owner reference that the ApplicationSet controller sets. */
export function ownedBy({ metadata }: ApplicationSet): OwnerReference {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Name of the ApplicationSet that controls an Application. */
export function owningApplicationSet(
  application: Application,
): string | undefined {
  return application.metadata.ownerReferences?.find(
    ({ controller, kind, apiVersion }) =>
      controller &&
      kind === 'ApplicationSet' &&
      apiVersion.startsWith('argoproj.io/'),
  )?.name;
}

/**
 * The merge patch that brings an existing Application to what was generated,
 * or undefined. Labels, annotations, finalizers and spec become the
 * template's, save the preserved ones; operation and status are not touched.
 */
export function applicationPatch(
  live: Application,
  generated: Application,
  applicationSet: ApplicationSet,
): JsonObject | undefined {
  const preserved = applicationSet.spec?.preservedFields ?? {};
  const metadata = {
    labels: {
      ...generated.metadata.labels,
      ...kept(live.metadata.labels, preserved.labels ?? []),
    },
    annotations: {
      ...generated.metadata.annotations,
      ...kept(live.metadata.annotations, [
        ...(preserved.annotations ?? []),
        ...PRESERVED_ANNOTATIONS,
      ]),
    },
    finalizers: [
      ...(generated.metadata.finalizers ?? []),
      ...(live.metadata.finalizers ?? []).filter(
        finalizer =>
          finalizer.startsWith('post-delete-finalizer.argocd.argoproj.io') &&
          !generated.metadata.finalizers?.includes(finalizer),
      ),
    ],
    ownerReferences: [
      ...(live.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== applicationSet.metadata.uid,
      ),
      ownedBy(applicationSet),
    ],
  };
  return mergePatchOf(
    {
      metadata: {
        labels: live.metadata.labels ?? {},
        annotations: live.metadata.annotations ?? {},
        finalizers: live.metadata.finalizers ?? [],
        ownerReferences: live.metadata.ownerReferences ?? [],
      },
      spec: live.spec ?? {},
    },
    { metadata, spec: generated.spec ?? {} },
  );
}

function kept(
  live: Readonly<Record<string, string>> | undefined,
  keys: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(live ?? {}).filter(([key]) => keys.includes(key)),
  );
}
