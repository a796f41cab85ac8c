import {
  APPLICATION_SET_HASH_LABEL,
  APPLICATION_SET_LABEL,
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  PULL_LABEL,
  REFRESH_ANNOTATION,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { sameManifestConfig } from './manifestConfigComparison';
import { isRecord, keysPatch, sameJson, type MergePatch } from './mergePatch';
import {
  isApplication,
  isApplicationConfig,
  isReadOnlyWork,
} from './workApplication';

/** The pull label is not among them: RHACM leaves it out on the children of ApplicationSets, and that is no difference. */
const OWN_LABELS = [APPLICATION_SET_LABEL, APPLICATION_SET_HASH_LABEL];
const OWN_ANNOTATIONS = [
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
];

/**
 * The least merge patch that makes our fields of `existing` those of `desired`; undefined where nothing differs.
 *
 * Manifests and manifest configurations of other objects stay as they are (RHACM adds a Namespace and an AppProject), and so
 * does whatever OCM or the API server filled in. A work that only observes its Application is never patched.
 */
export function manifestWorkPatch(
  existing: ManifestWork,
  desired: ManifestWork,
): MergePatch | undefined {
  if (isReadOnlyWork(existing)) {
    return undefined;
  }
  const labels = labelsPatch(existing, desired);
  const annotations = keysPatch(
    existing.metadata.annotations,
    desired.metadata.annotations,
    OWN_ANNOTATIONS,
  );
  const spec = {
    ...manifestsPatch(existing, desired),
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

/** A merge patch replaces lists whole, so it carries the others' manifests too. */
function manifestsPatch(existing: ManifestWork, desired: ManifestWork) {
  const manifests = existing.spec.workload?.manifests ?? [];
  const [payload] = desired.spec.workload?.manifests ?? [];
  const index = manifests.findIndex(isApplication);
  if (index >= 0 && samePayload(manifests[index], payload)) {
    return {};
  }
  return {
    workload: {
      manifests:
        index >= 0
          ? manifests.toSpliced(index, 1, payload)
          : [payload, ...manifests],
    },
  };
}

function configsPatch(existing: ManifestWork, desired: ManifestWork) {
  const configs = existing.spec.manifestConfigs ?? [];
  const [wanted] = desired.spec.manifestConfigs ?? [];
  const ours = configs.filter(isApplicationConfig);
  return ours.length === 1 && sameManifestConfig(ours[0], wanted)
    ? {}
    : {
        manifestConfigs: [
          wanted,
          ...configs.filter(config => !isApplicationConfig(config)),
        ],
      };
}

/** Where we want none, somebody else's stays: it belongs to the manifests that they added. */
function deleteOptionPatch(existing: ManifestWork, desired: ManifestWork) {
  const { deleteOption } = desired.spec;
  return deleteOption && !sameJson(existing.spec.deleteOption, deleteOption)
    ? { deleteOption }
    : {};
}

/**
 * An operation and a refresh are on their way once, and taking them off a work would be a write for nothing; they go with the
 * next change. Null and empty metadata is how Go writes what is not there.
 */
function samePayload(
  existing: KubernetesObject,
  desired: KubernetesObject,
): boolean {
  return sameJson(comparable(existing), comparable(desired));
}

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
