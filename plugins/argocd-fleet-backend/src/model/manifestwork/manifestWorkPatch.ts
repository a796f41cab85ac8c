import {
  APPLICATION_SET_HASH_LABEL,
  APPLICATION_SET_LABEL,
  FROZEN_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  PULL_LABEL,
  REFRESH_ANNOTATION,
  RELEASING_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  configKey,
  configsOf,
  isApplication,
  manifestKey,
  observedManifests,
} from '../delivery';
import { isRecord, keysPatch, sameJson, type MergePatch } from '../json';
import { deleteOptionBeforeRelease } from './deleteOptionBeforeRelease';
import { sameManifestConfig } from './manifestConfigComparison';
import {
  oneShotFieldsOf,
  MARK_ANNOTATIONS,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFieldsOfWork';

/** Without the pull label: RHACM omits it on Applications of ApplicationSets, and that is no difference. */
const OWN_LABELS = [APPLICATION_SET_LABEL, APPLICATION_SET_HASH_LABEL];
const OWN_ANNOTATIONS: readonly string[] = [
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  // A work that delivers again is neither frozen nor released.
  FROZEN_ANNOTATION,
  RELEASING_ANNOTATION,
];

/**
 * The smallest merge patch that makes the pull model's fields of `existing` equal those of `desired`; undefined if
 * nothing differs.
 *
 * Manifests and manifest configurations of other objects stay unchanged (RHACM adds a Namespace and an AppProject), and
 * so do the defaults of OCM and the API server.
 * @param oneShot - one-shot fields that the work has to contain; without it they are not compared
 */
export function manifestWorkPatch(
  existing: ManifestWork,
  desired: ManifestWork,
  oneShot?: OneShotFields,
): MergePatch | undefined {
  const labels = labelsPatch(existing, desired);
  const annotations = oneShot
    ? keysPatch(
        existing.metadata.annotations,
        { ...desired.metadata.annotations, ...oneShot.marks },
        [...OWN_ANNOTATIONS, ...MARK_ANNOTATIONS],
      )
    : keysPatch(
        existing.metadata.annotations,
        desired.metadata.annotations,
        OWN_ANNOTATIONS,
      );
  const spec = {
    ...manifestsPatch(existing, desired, oneShot),
    ...configsPatch(existing, desired),
    ...deleteOptionPatch(existing, desired),
  };
  const metadata = {
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  const patch = {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(Object.keys(spec).length > 0 && { spec }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function labelsPatch(existing: ManifestWork, desired: ManifestWork) {
  const pullLabelMissing = existing.metadata.labels?.[PULL_LABEL] === undefined;
  return keysPatch(
    existing.metadata.labels,
    desired.metadata.labels,
    pullLabelMissing ? OWN_LABELS : [...OWN_LABELS, PULL_LABEL],
  );
}

/** A merge patch replaces whole lists, so it repeats the manifests of other writers; observed manifests come last. */
function manifestsPatch(
  existing: ManifestWork,
  desired: ManifestWork,
  oneShot: OneShotFields | undefined,
) {
  const observed = observedManifests(desired);
  const manifests = notObserved(existing);
  const wanted = notObserved(desired);
  const found = wanted.map(manifest =>
    manifests.find(other => isSameObject(other, manifest)),
  );
  const same =
    wanted.every(
      (manifest, index) => found[index] && sameManifest(found[index], manifest),
    ) &&
    sameOneShotFields(existing, oneShot) &&
    sameObserved(observedManifests(existing), observed);
  if (same) {
    return {};
  }
  const written = wanted.map(manifest =>
    oneShot && isApplication(manifest)
      ? withOneShotFields(manifest as ArgoApplication, oneShot)
      : manifest,
  );
  return {
    workload: {
      manifests: [
        ...written.filter((_, index) => !found[index]),
        ...manifests.map(
          manifest => written[found.indexOf(manifest)] ?? manifest,
        ),
        ...observed,
      ],
    },
  };
}

function notObserved(work: ManifestWork): KubernetesObject[] {
  const observed = new Set(observedManifests(work));
  const manifests = work.spec.workload?.manifests ?? [];
  return manifests.filter(manifest => !observed.has(manifest));
}

/** Compares observed manifests in any order. */
function sameObserved(
  existing: readonly KubernetesObject[],
  desired: readonly KubernetesObject[],
): boolean {
  return sameInAnyOrder(existing, desired, manifestKey, sameManifest);
}

/** Whether each desired element has an equal one, and there are as many. Only elements with the same key are compared. */
function sameInAnyOrder<T>(
  existing: readonly T[],
  desired: readonly T[],
  keyOf: (element: T) => string,
  isSame: (a: T, b: T) => boolean,
): boolean {
  if (existing.length !== desired.length) {
    return false;
  }
  const byKey = new Map<string, T[]>();
  for (const element of existing) {
    const key = keyOf(element);
    const same = byKey.get(key);
    if (same) {
      same.push(element);
    } else {
      byKey.set(key, [element]);
    }
  }
  return desired.every(element =>
    byKey.get(keyOf(element))?.some(other => isSame(other, element)),
  );
}

/** A work delivers exactly one Application, under any name; all other manifests are identified by kind and name. */
function isSameObject(a: KubernetesObject, b: KubernetesObject): boolean {
  return isApplication(b)
    ? isApplication(a)
    : a.kind === b.kind &&
        a.apiVersion === b.apiVersion &&
        a.metadata.namespace === b.metadata.namespace &&
        a.metadata.name === b.metadata.name;
}

/** One-shot fields without a mark of the pull model belong to another writer and are no reason to write. */
function sameOneShotFields(
  existing: ManifestWork,
  oneShot: OneShotFields | undefined,
): boolean {
  const marks = existing.metadata.annotations ?? {};
  const present = oneShotFieldsOf(existing);
  const [operationMark, refreshMark] = MARK_ANNOTATIONS;
  return (
    !oneShot ||
    ((sameJson(present.operation, oneShot.operation) ||
      (!oneShot.operation && !marks[operationMark])) &&
      (present.refresh === oneShot.refresh ||
        (!oneShot.refresh && !marks[refreshMark])))
  );
}

/** The pull model owns the configuration of the Application, which comes first, and those of observed objects. */
function configsPatch(existing: ManifestWork, desired: ManifestWork) {
  const wanted = desired.spec.manifestConfigs ?? [];
  const { application: own, observing, others } = configsOf(existing);
  const same =
    own.length === 1 &&
    sameManifestConfig(own[0], wanted[0]) &&
    sameInAnyOrder(observing, wanted.slice(1), configKey, sameManifestConfig);
  return same ? {} : { manifestConfigs: [...wanted, ...others] };
}

/** If the desired work has none, that of another writer stays: it belongs to the manifests which that one added. */
function deleteOptionPatch(existing: ManifestWork, desired: ManifestWork) {
  const wanted =
    desired.spec.deleteOption ?? deleteOptionBeforeRelease(existing);
  const rules = existing.spec.deleteOption?.selectivelyOrphans?.orphaningRules;
  const missing = wanted?.selectivelyOrphans?.orphaningRules?.filter(
    rule => !rules?.some(other => sameJson(other, rule)),
  );
  const same =
    wanted?.propagationPolicy === existing.spec.deleteOption?.propagationPolicy;
  if (wanted === null) {
    return { deleteOption: null };
  }
  return !wanted || (same && missing?.length === 0)
    ? {}
    : {
        deleteOption: {
          ...wanted,
          selectivelyOrphans: {
            orphaningRules: [...(rules ?? []), ...(missing ?? [])],
          },
        },
      };
}

/** Ignores null and empty metadata, which Go writes for absent fields. */
function sameManifest(
  existing: KubernetesObject,
  desired: KubernetesObject,
): boolean {
  return sameJson(comparable(existing), comparable(desired));
}

/** The manifest without one-shot fields, which {@link sameOneShotFields} compares, and without status. */
function comparable(manifest: KubernetesObject): unknown {
  const { operation, status, metadata, ...rest } =
    manifest as KubernetesObject & { operation?: unknown; status?: unknown };
  const { [REFRESH_ANNOTATION]: refresh, ...annotations } =
    metadata.annotations ?? {};
  const kept = Object.entries({ ...metadata, annotations }).filter(
    ([, value]) => !isEmpty(value),
  );
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );
}
