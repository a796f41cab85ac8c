import { ConflictError, InputError, NotAllowedError } from '@backstage/errors';
import {
  isInRepositories,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type ApplicationManifests,
  type KubernetesObject,
  type Manifest,
  type ManifestsRequest,
  type NamespacedName,
  type ObjectRef,
  type Placement,
  type PlacementSelection,
  type PullModelApplicationSet,
  type WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { normalizeOwner } from 'backstage-plugin-argocd-fleet-node';
import { FLEET_RESOURCES, type FleetObject } from '../fleet';
import {
  findObject,
  objectKey,
  type Patch,
  type ResourceType,
} from '../kubernetes/client';
import { owningApplicationSet } from '../model/delivery';
import { isRecord, keysPatch, sameJson } from '../model/json';
import { placementManifest, selectionOf } from '../model/placement';
import { shownRepositoryUrl } from '../model/text';
import { applicationSetManifest } from '../model/views';
import {
  applicationSetRefusal,
  grantFor,
  isOurs,
  ownerRefusal,
  placementOwner,
  placementRefusal,
  recordedOwner,
  selectedPlacementRefusal,
  withinGrant,
  type WriteGrant,
} from '../model/writes';
import type { ApiHub } from './apiHub';
import { HubUnavailableError } from './hubErrorResponse';
import { foreignUse, usersOf } from './placementUse';
import {
  checkDesired,
  checkExisting,
  checkNew,
  type WantedObject,
  type WriteAccess,
} from './writeAccess';
import {
  applicationNameOn,
  checkApplicationSetRequest,
  checkPlacementRequest,
  checkRef,
} from './writeRequests';

/** Annotations with this prefix are ours, regardless of their writer: each request replaces all of them. */
const OWN_PREFIX = 'argocd-fleet/';

const ASK =
  'An administrator of this portal can allow more in its configuration.';

/** A request to write one object. */
interface WriteRequest<Name extends 'applicationSets' | 'placements'> {
  readonly hub: ApiHub;
  readonly name: Name;
  readonly ref: ObjectRef;
  readonly access: WriteAccess;
  /** The requested owner, in full. */
  readonly owner: string | undefined;
  /** Whether to write nothing. */
  readonly dryRun?: boolean;
}

type AnyRequest = WriteRequest<'applicationSets' | 'placements'>;

/**
 * Creates or updates an ApplicationSet on a hub; a dry run only says what would be done.
 * @throws InputError for an illegal value; NotAllowedError where configuration or policy do not allow it, before
 * anything is sent to the hub; ConflictError where the name is taken by what the caller may not change
 */
export async function putApplicationSet(
  hub: ApiHub,
  ref: ObjectRef,
  body: PullModelApplicationSet,
  access: WriteAccess,
  { dryRun }: { readonly dryRun?: boolean } = {},
): Promise<WriteResult> {
  checkApplicationSetRequest(ref, body);
  const owner = requestedOwner({
    owner: body.owner,
    'component.owner': body.component?.owner,
  });
  const request = {
    ...{ hub, ref, access, owner, dryRun },
    name: 'applicationSets',
  } as const;
  checkDesired(access, wantedOf(request));
  const grant = requireGrant(request);
  refuse(applicationSetRefusal(grant, hub.writes, body), ref);
  checkApplicationNames(request, body);
  await checkUsedPlacement(request, grant, body.placement);
  return applyManifest(request, grant, kept =>
    applicationSetManifest(ref, {
      ...body,
      owner: kept,
      ...(body.component && {
        component: { ...body.component, owner: undefined },
      }),
    }),
  );
}

/**
 * As {@link putApplicationSet}, for a Placement.
 * @param applicationSet - name of an ApplicationSet of the same namespace and owner that the caller writes next: nothing is
 * written unless that one may be
 */
export async function putPlacement(
  hub: ApiHub,
  ref: ObjectRef,
  body: PlacementSelection,
  access: WriteAccess,
  applicationSet?: string,
): Promise<WriteResult> {
  checkPlacementRequest(ref, body);
  const owner = requestedOwner({ owner: body.owner });
  const request = { hub, ref, access, owner, name: 'placements' } as const;
  checkDesired(access, wantedOf(request));
  const grant = requireGrant(request);
  refuse(placementRefusal(grant, body), ref);
  if (applicationSet !== undefined) {
    const next = { ...ref, name: applicationSet };
    checkRef(next);
    await findWritable({ ...request, ref: next, name: 'applicationSets' });
  }
  return applyManifest(request, grant, kept =>
    placementManifest(ref, { ...withinGrant(grant, body), owner: kept }),
  );
}

/**
 * A new ApplicationSet and its new Placement as manifests that the hub's own Argo CD applies from Git. The hub is asked whether
 * it would accept them, and nothing is written. Allowed is what {@link putPlacement} and {@link putApplicationSet} would be.
 * @throws as they do; ConflictError where a name is taken by whatever it is
 */
export async function renderManifests(
  hub: ApiHub,
  ref: ObjectRef,
  body: ManifestsRequest,
  access: WriteAccess,
): Promise<ApplicationManifests> {
  const { applicationSet, placement } = body;
  const placementRef = { ...ref, name: applicationSet.placement };
  checkApplicationSetRequest(ref, applicationSet);
  checkPlacementRequest(placementRef, placement);
  const owner = requestedOwner({
    'applicationSet.owner': applicationSet.owner,
    'applicationSet.component.owner': applicationSet.component?.owner,
    'placement.owner': placement.owner,
  });
  const common = { hub, access, owner };
  const requests = [
    { ...common, ref, name: 'applicationSets' },
    { ...common, ref: placementRef, name: 'placements' },
  ] as const;
  requests.forEach(request => checkDesired(access, wantedOf(request)));
  const grant = requireGrant(requests[0]);
  refuse(applicationSetRefusal(grant, hub.writes, applicationSet), ref);
  refuse(placementRefusal(grant, placement), ref);
  checkApplicationNames(requests[0], applicationSet);
  for (const request of requests) {
    const { existing } = await findWritable(request);
    if (existing) {
      throw new ConflictError(
        `${FLEET_RESOURCES[request.name].kind} ${objectKey(request.ref)} exists on hub "${ref.hub}" already, and is the portal's: Argo CD and the portal would both write it. Choose another name, or delete it first.`,
      );
    }
  }
  return {
    applicationSet: await accepted(
      'applicationSets',
      applicationSetManifest(ref, { ...applicationSet, owner }),
    ),
    placement: await accepted(
      'placements',
      inFirstWave(
        placementManifest(placementRef, {
          ...withinGrant(grant, placement),
          owner,
        }),
      ),
    ),
  };

  /** Without the label of what the portal writes: it neither changes nor deletes what is kept in Git. */
  async function accepted(
    name: 'applicationSets' | 'placements',
    { metadata: { labels: _ours, ...metadata }, ...rest }: KubernetesObject,
  ): Promise<Manifest> {
    const manifest = { ...rest, metadata } as KubernetesObject;
    const resource = FLEET_RESOURCES[name] as ResourceType;
    await hub.client.create(resource, manifest, { dryRun: true });
    return manifest as unknown as Manifest;
  }
}

/**
 * Argo CD applies the Placement before the ApplicationSet, whose controller looks again only after 3 minutes where there is
 * no decision yet.
 */
function inFirstWave({ metadata, ...rest }: Placement): Placement {
  const annotations = {
    ...metadata.annotations,
    'argocd.argoproj.io/sync-wave': '-1',
  };
  return { ...rest, metadata: { ...metadata, annotations } };
}

/** @throws NotAllowedError where no grant covers the namespace, and the requested owner in it */
export function requireGrant({
  hub,
  ref,
  owner,
}: Pick<AnyRequest, 'hub' | 'ref' | 'owner'>): WriteGrant {
  const grant = grantFor(hub.writes, hub.name, ref.namespace);
  if (typeof grant === 'string') {
    throw new NotAllowedError(`${grant}. ${ASK}`);
  }
  refuse(ownerRefusal(grant, owner), ref);
  return grant;
}

/** @throws NotAllowedError where there is a problem */
export function refuse(
  problem: string | undefined,
  { hub, namespace }: ObjectRef,
) {
  if (problem !== undefined) {
    throw new NotAllowedError(
      `In the namespace ${namespace} of the hub "${hub}", ${problem}. ${ASK}`,
    );
  }
}

/**
 * Checks that a pull request of the portal may change a repository.
 * @param name - of the ApplicationSet that deploys it, for the message
 * @throws NotAllowedError
 */
export function requireRepository(
  { key, repositories }: WriteGrant,
  name: string,
  repoURL: string,
): void {
  if (!isInRepositories(repositories, repoURL)) {
    throw new NotAllowedError(
      `${name} deploys from ${shownRepositoryUrl(repoURL)}, which the portal may not change; ${key}.repositories allows ${repositories.join(', ')}. ${ASK}`,
    );
  }
}

/** The owner that a request names, in full. @throws InputError where it names none that can exist, or two */
function requestedOwner(
  fields: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let found: { field: string; owner: string } | undefined;
  for (const [field, text] of Object.entries(fields)) {
    if (text !== undefined) {
      const owner = normalizeOwner(text);
      if (owner === undefined || !/^(group|user):/.test(owner)) {
        throw new InputError(
          `${field}: ${JSON.stringify(text)} is no owner; write the entity reference of a group or user, like group:default/team-a`,
        );
      }
      if (found && found.owner !== owner) {
        throw new InputError(
          `${found.field} and ${field} name different owners; an object has one`,
        );
      }
      found ??= { field, owner };
    }
  }
  return found?.owner;
}

/** An ApplicationSet goes where its Placement says, so this may be neither another owner's nor select too much. */
async function checkUsedPlacement(
  { hub, ref, access, owner }: WriteRequest<'applicationSets'>,
  grant: WriteGrant,
  name: string,
) {
  const resource = FLEET_RESOURCES.placements as ResourceType<Placement>;
  const key = { namespace: ref.namespace, name };
  const placement = await findObject(hub.client, resource, key);
  if (access.create.all && access.update.all && placement) {
    refuse(selectedPlacementRefusal(grant, placement), ref);
    return;
  }
  const isTheirs =
    placement &&
    isOurs(placement) &&
    placementOwner(placement, () => usersOf(hub, key)) !== owner;
  if (
    !placement ||
    isTheirs ||
    selectedPlacementRefusal(grant, placement) !== undefined
  ) {
    throw new InputError(
      `placement: there is no Placement ${objectKey(key)} on hub "${ref.hub}" that you may use: it must exist, have the owner of the ApplicationSet, and select only clusters that ${grant.key} allows. Create it first`,
    );
  }
}

/**
 * Sends every write as a dry run first: what the API server rejects, it rejects before anything changes.
 * @param manifestFor - the object with the owner that is recorded on it
 */
async function applyManifest<Name extends 'applicationSets' | 'placements'>(
  request: WriteRequest<Name>,
  grant: WriteGrant,
  manifestFor: (owner: string | undefined) => KubernetesObject,
): Promise<WriteResult> {
  const { hub, name, ref, owner, dryRun } = request;
  const { client, cache } = hub;
  const resource = FLEET_RESOURCES[name] as ResourceType;
  const { existing, known } = await findWritable(request);
  if (!existing) {
    const desired = withManagedByLabel(manifestFor(owner));
    await client.create(resource, desired, { dryRun: true });
    if (dryRun) {
      return { ref, result: 'created' };
    }
    const created = await client.create(resource, desired);
    cache.applyWriteResult(name, created as FleetObject<Name>);
    return { ref, result: 'created' };
  }
  refuse(ownerRefusal(grant, owner ?? known), ref);
  // A request takes an object from nobody by not naming its owner.
  const desired = withManagedByLabel(manifestFor(owner ?? known));
  const patch = buildPatch(existing, desired);
  const options = { resourceVersion: existing.metadata.resourceVersion };
  if (await changesNothing(hub, resource, existing, patch)) {
    return { ref, result: 'unchanged' };
  }
  if (dryRun) {
    return { ref, result: 'updated' };
  }
  const patched = await client.patch(resource, ref, patch, options);
  cache.applyWriteResult(name, patched as FleetObject<Name>);
  return { ref, result: 'updated' };
}

/** Only the API server knows which differences are defaults that it sets again. */
async function changesNothing(
  { client }: Pick<ApiHub, 'client'>,
  resource: ResourceType,
  existing: KubernetesObject,
  patch: Patch,
): Promise<boolean> {
  const tried = await client.patch(resource, existing.metadata, patch, {
    resourceVersion: existing.metadata.resourceVersion,
    dryRun: true,
  });
  return sameJson(comparedFields(tried), comparedFields(existing));
}

/**
 * Whether a Placement selects by what a request can say, and by nothing else: to write that again changes nothing. Nothing is
 * written.
 */
export async function isWrittenSelection(
  hub: Pick<ApiHub, 'client'>,
  name: NamespacedName,
): Promise<boolean> {
  const resource = FLEET_RESOURCES.placements as ResourceType<Placement>;
  const existing = await findObject(hub.client, resource, name);
  if (!existing) {
    return false;
  }
  const { spec } = placementManifest(name, selectionOf(existing));
  const patch = { spec: mergePatch(specOf(existing), spec) };
  return changesNothing(hub, resource, existing, patch);
}

/**
 * The object that a request is about, and its owner; neither where it does not exist yet.
 * @throws NotAllowedError; ConflictError where the name is taken by what the caller may not change
 */
async function findWritable(request: AnyRequest) {
  const { hub, name, ref, owner, access } = request;
  const resource = FLEET_RESOURCES[name] as ResourceType;
  const existing = await findObject(hub.client, resource, ref);
  const known = existing && ownerOf(request, existing);
  if (existing) {
    checkExisting(access, wantedOf(request), {
      object: existing,
      owner: known,
      isUsedByOthers: () => isUsedByOthers(request, known),
    });
  } else {
    checkNew(access, wantedOf(request), () => isUsedByOthers(request, owner));
  }
  return { existing, known };
}

/**
 * Argo CD's ApplicationSet controller takes over an Application of a generated name that belongs to no ApplicationSet, with
 * all that it has deployed; one of another ApplicationSet it leaves.
 */
function checkApplicationNames(
  { hub, ref, access }: WriteRequest<'applicationSets'>,
  body: PullModelApplicationSet,
) {
  if (access.create.all && access.update.all) {
    return;
  }
  const { cache } = hub;
  const [reason] = cache.unsyncedReasons(['clusters', 'applications']);
  if (reason) {
    throw new HubUnavailableError(reason);
  }
  for (const { metadata } of cache.clusters.list()) {
    const name = applicationNameOn(metadata.name, ref, body);
    const application = cache.applications.get(
      objectKey({ namespace: ref.namespace, name }),
    );
    if (application && !owningApplicationSet(application)) {
      throw new ConflictError(
        `The name ${name} is taken for an Application in the namespace ${ref.namespace} of hub "${ref.hub}". Choose another name, or another applicationName.`,
      );
    }
  }
}

function wantedOf({ name, ref, owner }: AnyRequest): WantedObject {
  return { kind: FLEET_RESOURCES[name].kind, ref, owner };
}

function ownerOf({ hub, name, ref }: AnyRequest, existing: KubernetesObject) {
  return name === 'placements'
    ? placementOwner(existing, () => usersOf(hub, ref))
    : recordedOwner(existing);
}

/** Who changes a Placement decides where the ApplicationSets go that name it. */
function isUsedByOthers(
  { hub, name, ref }: AnyRequest,
  owner: string | undefined,
): boolean {
  return name === 'placements' && foreignUse(hub, ref, owner);
}

function withManagedByLabel(manifest: KubernetesObject): KubernetesObject {
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: { ...manifest.metadata.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}

/** Keeps the labels and annotations of others, and replaces ours and the spec. */
function buildPatch(existing: KubernetesObject, desired: KubernetesObject) {
  const [before, after] = [existing, desired].map(
    ({ metadata }) => metadata.annotations ?? {},
  );
  const annotations = keysPatch(before, after, [
    ...Object.keys(before).filter(key => key.startsWith(OWN_PREFIX)),
    ...Object.keys(after),
  ]);
  return {
    metadata: {
      labels: desired.metadata.labels,
      ...(annotations && { annotations }),
    },
    spec: mergePatch(specOf(existing), specOf(desired)),
  };
}

/** A JSON merge patch from `before` to `after`; it has null for each removed key. */
function mergePatch(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) {
    return after;
  }
  const patch: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    patch[key] =
      after[key] === undefined ? null : mergePatch(before[key], after[key]);
  }
  return patch;
}

function comparedFields(object: KubernetesObject) {
  const { labels, annotations } = object.metadata;
  return { labels, annotations, spec: specOf(object) };
}

function specOf(object: KubernetesObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}
