import { ConflictError, InputError, NotAllowedError } from '@backstage/errors';
import type { Permission } from '@backstage/plugin-permission-common';
import {
  argocdFleetApplicationSetCreatePermission,
  argocdFleetApplicationSetUpdatePermission,
  COMPONENT_ANNOTATIONS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type KubernetesObject,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationSetFacts } from 'backstage-plugin-argocd-fleet-node';
import { objectKey } from '../kubernetes/client';
import { isOurs } from '../model/writes';
import type { Decision } from './access';

/** Whether one caller may write an ApplicationSet, or the Placement of one. */
export interface WriteAccess {
  readonly create: Decision<ApplicationSetFacts>;
  readonly update: Decision<ApplicationSetFacts>;
  readonly read: Decision<ApplicationSetFacts>;
  /** Entity references by which the caller owns things, in full: the user and its groups. */
  readonly ownershipRefs: ReadonlySet<string>;
}

/** What a request wants to write. */
export interface WantedObject {
  readonly kind: string;
  readonly ref: ObjectRef;
  /** The requested owner, in full; undefined where the request names none. */
  readonly owner: string | undefined;
}

/** What is known of the object that has the name already. */
export interface ExistingObject {
  readonly object: KubernetesObject;
  /** Its owner; undefined without one. */
  readonly owner: string | undefined;
  /** Whether others than its owner depend on it. */
  readonly isUsedByOthers: () => boolean;
}

/** Whether one caller may do one thing to ApplicationSets that exist, and to their Placements. */
export interface OwnAccess extends Pick<WriteAccess, 'read' | 'ownershipRefs'> {
  readonly permission: Permission;
  /** About `permission`. */
  readonly decision: Decision<ApplicationSetFacts>;
}

const OURS = { [MANAGED_BY_LABEL]: MANAGED_BY };

/**
 * Checks a write before the hub hears of it: whether the caller may create the object, or might update it, and whether
 * the owner is the caller's, which only a decision without conditions makes needless.
 * @throws NotAllowedError; InputError without the owner that is needed
 */
export function checkDesired(
  { create, update, ownershipRefs }: WriteAccess,
  wanted: WantedObject,
): void {
  const { kind, ref, owner } = wanted;
  const needsOwner = !create.all && !update.all;
  // Without an owner, what the conditions say of the rest still decides.
  const facts: ApplicationSetFacts =
    needsOwner && owner === undefined ? { ref } : factsOf(wanted);
  if (
    !(owner === undefined ? create.mightAllow(facts) : create.allows(facts)) &&
    // An update keeps the labels of others.
    !update.mightAllow({ ...facts, labels: undefined })
  ) {
    throw mayNotCreate(wanted);
  }
  if (!needsOwner) {
    return;
  }
  if (owner === undefined) {
    throw new InputError(
      `owner: is missing; name the group or user that owns the ${kind}: yourself, or a group that you are in`,
    );
  }
  if (!ownershipRefs.has(owner)) {
    throw new NotAllowedError(
      `owner: ${owner} is neither you nor a group that you are in, so you cannot make it the owner of the ${kind} ${objectKey(ref)}`,
    );
  }
}

/**
 * Checks a write to a name that is free.
 * @param isUsedByOthers - whether others than the owner would depend on the object
 * @throws NotAllowedError; ConflictError where others wait for an object of that name
 */
export function checkNew(
  { create, ownershipRefs }: WriteAccess,
  wanted: WantedObject,
  isUsedByOthers: () => boolean,
): void {
  if (create.all) {
    return;
  }
  const { owner } = wanted;
  if (
    !create.allows(factsOf(wanted)) ||
    owner === undefined ||
    !ownershipRefs.has(owner)
  ) {
    throw mayNotCreate(wanted);
  }
  if (isUsedByOthers()) {
    throw taken(wanted);
  }
}

/**
 * Checks a write to an object that exists. One that the caller may not read is answered as if it did not exist, as far
 * as its name is not wanted, and always in the same way.
 * @throws NotAllowedError; ConflictError where the name is taken
 */
export function checkExisting(
  access: WriteAccess,
  wanted: WantedObject,
  existing: ExistingObject,
): void {
  const { create, update, read, ownershipRefs } = access;
  const { labels = {} } = existing.object.metadata;
  const now = existingFacts(wanted.ref, existing);
  if (!isOurs(existing.object)) {
    throw update.all || read.allows(now)
      ? new ConflictError(
          `${nameOf(wanted)} was not made by Argo CD Fleet (it has no label ${MANAGED_BY_LABEL}=${MANAGED_BY}), so it is not overwritten. Choose another name, or set that label to let Argo CD Fleet manage it.`,
        )
      : hidden();
  }
  if (update.all) {
    return;
  }
  const refusal = reason();
  if (refusal !== undefined) {
    throw read.allows(now)
      ? new NotAllowedError(`${nameOf(wanted)} ${refusal}`)
      : hidden();
  }

  function reason(): string | undefined {
    const { owner } = existing;
    if (owner === undefined) {
      return `has no recorded owner, so only who may change every ApplicationSet may change it. Choose another name, or have its owner recorded in its annotation ${COMPONENT_ANNOTATIONS.owner}.`;
    }
    if (!ownershipRefs.has(owner)) {
      return `belongs to ${owner}, which is neither you nor a group that you are in. Choose another name.`;
    }
    if (owner !== wanted.owner) {
      return `belongs to ${owner}; only who may change every ApplicationSet may give it another owner. Name that owner, or choose another name.`;
    }
    if (!update.allows(now) || !update.allows(factsOf(wanted, labels))) {
      return `may not be changed by you: your permission ${argocdFleetApplicationSetUpdatePermission.name} does not cover it as it is, or as it would be (its hub, namespace, labels and recorded owner decide). An administrator of this portal can allow it.`;
    }
    return existing.isUsedByOthers()
      ? `is used by others than ${owner} too, so only who may change every ApplicationSet may change it. Choose another name.`
      : undefined;
  }

  function hidden() {
    return create.allows(factsOf(wanted))
      ? taken(wanted)
      : mayNotCreate(wanted);
  }
}

/**
 * Checks that the caller may do something to an object that exists: by the policy, and as one of its owners.
 * @throws NotAllowedError
 */
export function checkOwn(
  { permission, decision, ownershipRefs }: OwnAccess,
  what: Pick<WantedObject, 'kind' | 'ref'>,
  { object, owner }: Pick<ExistingObject, 'object' | 'owner'>,
): void {
  if (decision.all) {
    return;
  }
  const name = nameOf(what);
  const done = permission.attributes.action === 'delete' ? 'delete' : 'change';
  if (!decision.allows(existingFacts(what.ref, { object, owner }))) {
    throw new NotAllowedError(
      `${name} may not be ${done}d by you: your permission ${permission.name} does not cover it (its hub, namespace, labels and recorded owner decide). An administrator of this portal can allow it.`,
    );
  }
  if (owner === undefined || !ownershipRefs.has(owner)) {
    throw new NotAllowedError(
      owner === undefined
        ? `${name} has no recorded owner, so only who may ${done} every ApplicationSet may ${done} it. Have its owner recorded in its annotation ${COMPONENT_ANNOTATIONS.owner}.`
        : `${name} belongs to ${owner}, which is neither you nor a group that you are in`,
    );
  }
}

/** What is known of an object; of one without owner it is not known who may change it. */
export function existingFacts(
  ref: ObjectRef,
  { object, owner }: Pick<ExistingObject, 'object' | 'owner'>,
): ApplicationSetFacts {
  return {
    ref,
    ...(owner && { owners: [owner] }),
    labels: object.metadata.labels ?? {},
  };
}

/** Facts of the object as it would be; one without owner has none, which is known. */
function factsOf(
  { ref, owner }: WantedObject,
  labels: ApplicationSetFacts['labels'] = {},
): ApplicationSetFacts {
  return {
    ref,
    owners: owner === undefined ? [] : [owner],
    labels: { ...labels, ...OURS },
  };
}

function nameOf({ kind, ref }: Pick<WantedObject, 'kind' | 'ref'>): string {
  return `${kind} ${objectKey(ref)} on hub "${ref.hub}"`;
}

/** Tells nothing about the object that has the name. */
function taken({ kind, ref }: WantedObject) {
  return new ConflictError(
    `The name ${objectKey(ref)} is taken for ${kind === 'Placement' ? 'a' : 'an'} ${kind} on hub "${ref.hub}". Choose another name.`,
  );
}

function mayNotCreate(wanted: WantedObject) {
  return new NotAllowedError(
    `You may not create ${nameOf(wanted)}: your permission ${argocdFleetApplicationSetCreatePermission.name} does not cover it (its hub, namespace, labels and owner decide). Name an owner that you belong to, choose another namespace, or ask an administrator of this portal.`,
  );
}
