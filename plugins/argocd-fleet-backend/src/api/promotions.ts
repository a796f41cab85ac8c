import { posix } from 'node:path';
import { ConflictError, InputError, NotFoundError } from '@backstage/errors';
import type {
  ApplicationSetRows,
  ObjectRef,
  Promotion,
  PromotionSide,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../kubernetes/client';
import { isSameRepository } from '../model/links';
import { isTracked, recordedOwner } from '../model/writes';
import type { ApiHub } from './apiHub';
import { requireGrant, requireRepository } from './hubWrites';
import { checkOwn, type OwnAccess } from './writeAccess';

/** What people call versions; a branch with such a name would be promoted as it is. */
const TAG = /^v?\d{1,9}(\.\d{1,9}){1,3}([-+][\w.+-]{1,100})?$/;
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * What a pull request has to bring from the folder of one ApplicationSet to that of another, for a caller who may have the
 * second one changed: by the policy, as one of its owners, and within what the configuration lets the portal write.
 * @param hub - of `to`
 * @throws NotAllowedError; InputError where no change of files can do it; ConflictError where `from` runs nothing yet
 */
export function preparePromotion(
  hub: ApiHub,
  access: OwnAccess,
  sides: { readonly from: ApplicationSetRows; readonly to: ApplicationSetRows },
): Promotion {
  const { from, to } = sides;
  const name = (ref: ObjectRef) =>
    `The ApplicationSet ${objectKey(ref)} on hub "${ref.hub}"`;
  const object = hub.cache.applicationSets.get(objectKey(to.ref));
  if (!object) {
    throw new NotFoundError(`${name(to.ref)} was deleted`);
  }
  const owner = recordedOwner(object);
  checkOwn(access, { kind: 'ApplicationSet', ref: to.ref }, { object, owner });
  const grant = requireGrant({ hub, ref: to.ref, owner });

  const [source, target] = [from, to].map(({ ref, sources }): Source => {
    const [first, ...others] = sources;
    const path = first && folderOf(first);
    if (path === undefined || others.length > 0 || first.chart) {
      throw new InputError(
        `${name(ref)} has ${describeSources(sources)}: a promotion changes the files of one folder of a Git repository`,
      );
    }
    return { ...first, path };
  });
  requireRepository(grant, name(to.ref), target.repoURL);
  if (!isSameRepository(source.repoURL, target.repoURL)) {
    throw new InputError(
      `${name(from.ref)} deploys from ${source.repoURL}, and ${objectKey(to.ref)} from ${target.repoURL}: a promotion goes from one folder of a repository to another`,
    );
  }
  const sameFolder = source.path === target.path;
  if (sameFolder && !isTracked(object)) {
    throw new InputError(
      `${name(from.ref)} and ${objectKey(to.ref)} deploy the same folder, ${target.path}: a promotion goes from one folder of a repository to another, such as from overlays/staging to overlays/production, or changes the revision of an ApplicationSet that its repository keeps`,
    );
  }
  const [here, there] = [sideOf(from, source), sideOf(to, target)];
  if (!here.revision) {
    throw new ConflictError(
      `${name(from.ref)} runs on no cluster yet, so there is nothing to promote`,
    );
  }
  return {
    ...{ from: here, to: there },
    ...(sameFolder && { targetRevision: pinned(source, here.revision) }),
  };
}

/** A branch moves on, and would bring what nobody has promoted. */
function pinned({ targetRevision = '' }: Source, running: string): string {
  return TAG.test(targetRevision) ? targetRevision : running;
}

function describeSources(sources: readonly Source[]): string {
  const [first, ...others] = sources;
  if (others.length > 0) {
    return `${sources.length} sources`;
  }
  if (!first) {
    return 'no source';
  }
  return first.chart
    ? `the Helm chart ${first.chart} as its source`
    : `a folder outside of its repository, ${first.path}`;
}

/** The folder in the repository; undefined for one outside of it. */
function folderOf({ path = '.' }: Source): string | undefined {
  const folder = posix.join('.', path, '.');
  return /^\.\.(\/|$)|[\\\0]/.test(folder) ? undefined : folder;
}

/** What an ApplicationSet runs: the revision of most of its clusters, and the images of all. */
function sideOf(
  { ref, applications }: ApplicationSetRows,
  source: Source,
): PromotionSide {
  const revisions = new Map<string, number>();
  const images = new Map<string, Set<string>>();
  for (const { running, cluster, images: used = [] } of applications) {
    // Clusters report it, and it becomes a part of addresses.
    if (running && COMMIT.test(running)) {
      revisions.set(running, (revisions.get(running) ?? 0) + 1);
    }
    for (const image of used) {
      images.set(image, (images.get(image) ?? new Set()).add(cluster.name));
    }
  }
  const [most] = [...revisions].sort(([, a], [, b]) => b - a);
  const revision = most?.[0];
  const clusters = namesOf(applications);
  const notReady = namesOf(
    applications.filter(
      ({ running, sync, health }) =>
        running !== revision || sync !== 'Synced' || health !== 'Healthy',
    ),
  );
  return {
    ref,
    source,
    ...(revision && { revision }),
    clusters: clusters.size,
    ready: clusters.size - notReady.size,
    images: [...images]
      .map(([image, on]) => ({ image, clusters: on.size }))
      .sort((a, b) => (a.image < b.image ? -1 : 1)),
  };
}

function namesOf(applications: ApplicationSetRows['applications']) {
  return new Set(applications.map(({ cluster }) => cluster.name));
}
