import {
  APPLICATION_SET_HASH_LABEL,
  APPLICATION_SET_LABEL,
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  PULL_LABEL,
  REFRESH_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationConfigs,
  isApplication,
  isObservingConfig,
  observedManifests,
} from '../delivery';
import { isRecord, keysPatch, sameJson, type MergePatch } from '../json';
import { sameManifestConfig } from './manifestConfigComparison';
import {
  oneShotFieldsOf,
  MARK_ANNOTATIONS,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFields';

/** The pull label is not among them: RHACM leaves it out on the children of ApplicationSets, and that is no difference. */
const OWN_LABELS = [APPLICATION_SET_LABEL, APPLICATION_SET_HASH_LABEL];
const OWN_ANNOTATIONS: readonly string[] = [
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
];

/**
 * The least merge patch that makes our fields of `existing` those of `desired`; undefined where nothing differs.
 *
 * Manifests and manifest configurations of other objects stay as they are (RHACM adds a Namespace and an AppProject), and so
 * does whatever OCM or the API server filled in.
 * @param travelling - what the work is to carry besides, where that is to be compared too
 */
export function manifestWorkPatch(
  existing: ManifestWork,
  desired: ManifestWork,
  travelling?: OneShotFields,
): MergePatch | undefined {
  const labels = labelsPatch(existing, desired);
  const annotations = travelling
    ? keysPatch(
        existing.metadata.annotations,
        { ...desired.metadata.annotations, ...travelling.marks },
        [...OWN_ANNOTATIONS, ...MARK_ANNOTATIONS],
      )
    : keysPatch(
        existing.metadata.annotations,
        desired.metadata.annotations,
        OWN_ANNOTATIONS,
      );
  const spec = {
    ...manifestsPatch(existing, desired, travelling),
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

/** A merge patch replaces lists whole, so it carries the others' manifests too; what is only observed stands behind them all. */
function manifestsPatch(
  existing: ManifestWork,
  desired: ManifestWork,
  travelling: OneShotFields | undefined,
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
    sameTravellers(existing, travelling) &&
    sameObserved(observedManifests(existing), observed);
  if (same) {
    return {};
  }
  const written = wanted.map(manifest =>
    travelling && isApplication(manifest)
      ? withOneShotFields(manifest as ArgoApplication, travelling)
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
  const observed = observedManifests(work);
  const manifests = work.spec.workload?.manifests ?? [];
  return manifests.filter(manifest => !observed.includes(manifest));
}

/** In whatever order. */
function sameObserved(
  existing: readonly KubernetesObject[],
  desired: readonly KubernetesObject[],
): boolean {
  return (
    existing.length === desired.length &&
    desired.every(manifest =>
      existing.some(other => sameManifest(other, manifest)),
    )
  );
}

/** A work of ours has one Application that it carries; everything else is told apart by its name. */
function isSameObject(a: KubernetesObject, b: KubernetesObject): boolean {
  return isApplication(b)
    ? isApplication(a)
    : a.kind === b.kind &&
        a.apiVersion === b.apiVersion &&
        a.metadata.namespace === b.metadata.namespace &&
        a.metadata.name === b.metadata.name;
}

/** What stands in a work without our mark is somebody else's, and no reason to write. */
function sameTravellers(
  existing: ManifestWork,
  travelling: OneShotFields | undefined,
): boolean {
  const marks = existing.metadata.annotations ?? {};
  const carried = oneShotFieldsOf(existing);
  const [operationMark, refreshMark] = MARK_ANNOTATIONS;
  return (
    !travelling ||
    ((sameJson(carried.operation, travelling.operation) ||
      (!travelling.operation && !marks[operationMark])) &&
      (carried.refresh === travelling.refresh ||
        (!travelling.refresh && !marks[refreshMark])))
  );
}

/** Ours are that of the Application, which comes first, and those of what is only observed. */
function configsPatch(existing: ManifestWork, desired: ManifestWork) {
  const configs = existing.spec.manifestConfigs ?? [];
  const wanted = desired.spec.manifestConfigs ?? [];
  const ours = applicationConfigs(existing);
  const observing = configs.filter(config =>
    isObservingConfig(config, existing),
  );
  const same =
    ours.length === 1 &&
    sameManifestConfig(ours[0], wanted[0]) &&
    observing.length === wanted.length - 1 &&
    wanted
      .slice(1)
      .every(config =>
        observing.some(other => sameManifestConfig(other, config)),
      );
  return same
    ? {}
    : {
        manifestConfigs: [
          ...wanted,
          ...configs.filter(
            config => !ours.includes(config) && !observing.includes(config),
          ),
        ],
      };
}

/** Where we want none, somebody else's stays: it belongs to the manifests that they added. */
function deleteOptionPatch(existing: ManifestWork, desired: ManifestWork) {
  const wanted = desired.spec.deleteOption;
  const rules = existing.spec.deleteOption?.selectivelyOrphans?.orphaningRules;
  const missing = wanted?.selectivelyOrphans?.orphaningRules?.filter(
    rule => !rules?.some(other => sameJson(other, rule)),
  );
  const same =
    wanted?.propagationPolicy === existing.spec.deleteOption?.propagationPolicy;
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

/** Null and empty metadata is how Go writes what is not there. */
function sameManifest(
  existing: KubernetesObject,
  desired: KubernetesObject,
): boolean {
  return sameJson(comparable(existing), comparable(desired));
}

/** Without what travels once, which has its own rules, and what only the cluster writes. */
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
