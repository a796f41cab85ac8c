import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { mergePatchOf } from '../kubernetes/json';
import { JsonObject, OwnerReference } from '../kubernetes/objects';
import { ignoredPointers, withoutPointers } from './ignoredDifferences';
import { serializedSpec } from './serializedSpec';

/** Annotations of Argo CD itself, which every update preserves. */
const PRESERVED_ANNOTATIONS = [
  'notified.notifications.argoproj.io',
  'argocd.argoproj.io/refresh',
  'argocd.argoproj.io/hydrate',
];
const POST_DELETE_FINALIZER = 'post-delete-finalizer.argocd.argoproj.io';

/** The owner reference that the ApplicationSet controller sets. */
export function ownerReferenceTo({ metadata }: ApplicationSet): OwnerReference {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: metadata.name,
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The name of the ApplicationSet that controls an Application. */
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

/** Kubernetes' error if another controller owns an existing Application, or undefined. */
export function ownershipError(
  live: Application,
  applicationSet: ApplicationSet,
): string | undefined {
  const controller = live.metadata.ownerReferences?.find(
    reference => reference.controller,
  );
  const { namespace, name } = live.metadata;
  return controller && !isReferenceTo(applicationSet, controller)
    ? `error while wrapping using MutateFn: Object ${namespace}/${name} is already owned by another ${controller.kind} controller ${controller.name}`
    : undefined;
}

/** A generated Application in the form in which the controller creates it. */
export function newApplication(
  generated: Application,
  applicationSet: ApplicationSet,
): Application {
  return {
    ...generated,
    metadata: {
      ...generated.metadata,
      ownerReferences: [ownerReferenceTo(applicationSet)],
    },
    spec: serializedSpec({ ...generated.spec }),
  };
}

/**
 * The merge patch from an existing Application to the generated one, or
 * undefined if they are equal. Labels, annotations, finalizers and spec become
 * those of the template, except for preserved and ignored fields. A generated
 * operation is set. The status does not change.
 */
export function applicationPatch(
  live: Application,
  generated: Application,
  applicationSet: ApplicationSet,
): JsonObject | undefined {
  const preserved = applicationSet.spec?.preservedFields ?? {};
  const finalizers = generated.metadata.finalizers ?? [];
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
      ...finalizers,
      ...(live.metadata.finalizers ?? []).filter(
        finalizer =>
          finalizer.startsWith(POST_DELETE_FINALIZER) &&
          !finalizers.includes(finalizer),
      ),
    ],
    ownerReferences: [
      ...(live.metadata.ownerReferences ?? []).filter(
        reference => !isReferenceTo(applicationSet, reference),
      ),
      ownerReferenceTo(applicationSet),
    ],
  };
  const ignored = ignoredPointers(applicationSet, live.metadata.name);
  const compared = (document: JsonObject) => withoutPointers(document, ignored);
  const before = {
    metadata: {
      labels: live.metadata.labels ?? {},
      annotations: live.metadata.annotations ?? {},
      finalizers: live.metadata.finalizers ?? [],
      ownerReferences: live.metadata.ownerReferences ?? [],
    },
    spec: serializedSpec({ ...live.spec }),
  };
  const after = { metadata, spec: serializedSpec({ ...generated.spec }) };
  return mergePatchOf(
    { ...compared(before), operation: live.operation },
    { ...compared(after), operation: generated.operation ?? live.operation },
  );
}

/** Compares by name as Kubernetes' helpers do: a re-created set adopts its Applications. */
function isReferenceTo(
  { metadata }: ApplicationSet,
  { apiVersion, kind, name }: OwnerReference,
): boolean {
  return (
    apiVersion.startsWith('argoproj.io/') &&
    kind === 'ApplicationSet' &&
    name === metadata.name
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
