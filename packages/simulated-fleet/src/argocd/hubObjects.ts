import { GitSources } from '../cluster/gitSources';
import { isNotFound } from '../kubernetes/apiError';
import { Application } from '../kubernetes/argocdTypes';
import { HubClient } from '../kubernetes/client';
import { mergePatchOf } from '../kubernetes/json';
import { groupOf, JsonObject, KubeObject } from '../kubernetes/objects';
import { seedableResources } from '../kubernetes/resources';

const TRACKING_ID = 'argocd.argoproj.io/tracking-id';

/**
 * Applies to the hub what an Application deploys there: of its plain manifests on a Git server, the objects whose resources the
 * simulated fleet knows, each with the annotation by which Argo CD tracks it. Nothing is pruned.
 * @throws Error if a file is no YAML, or the hub rejects an object
 */
export async function applyHubObjects(
  { metadata, spec, status }: Application,
  client: HubClient,
  git: GitSources,
): Promise<void> {
  const source = spec?.source;
  const revision = status?.operationState?.syncResult?.revision;
  if (!source || !revision || !git.has(source)) {
    return;
  }
  for (const object of git.objects(source, revision).filter(isKubeObject)) {
    const group = groupOf(object.apiVersion);
    const resource = seedableResources.find(
      ({ kind, namespaced, ...each }) =>
        namespaced && kind === object.kind && each.group === group,
    );
    if (resource) {
      const { name } = object.metadata;
      const namespace =
        object.metadata.namespace ?? spec.destination?.namespace;
      const tracking = `${metadata.name}:${group}/${object.kind}:${namespace}/${name}`;
      const desired = {
        ...object,
        metadata: {
          ...object.metadata,
          namespace,
          annotations: {
            ...object.metadata.annotations,
            [TRACKING_ID]: tracking,
          },
        },
      };
      await apply(desired, resource, client);
    }
  }
}

async function apply(
  desired: KubeObject,
  resource: (typeof seedableResources)[number],
  client: HubClient,
) {
  const options = { fieldManager: 'argocd-controller' };
  let existing: KubeObject;
  try {
    existing = await client.get(resource, desired.metadata);
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
    await client.create(resource, desired, options);
    return;
  }
  const { labels = {}, annotations = {} } = desired.metadata;
  const spec = mergePatchOf({ ...existing.spec }, { ...desired.spec });
  await client.patch(
    resource,
    desired.metadata,
    { metadata: { labels, annotations }, ...(spec && { spec }) },
    options,
  );
}

function isKubeObject(object: JsonObject): object is JsonObject & KubeObject {
  const { apiVersion, kind, metadata } = object;
  return (
    typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    typeof metadata === 'object' &&
    metadata !== null &&
    'name' in metadata
  );
}
