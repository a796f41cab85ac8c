import { posix } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';
import { rolloutSpec } from '../scenario/rolloutSchema';
import { WorkloadResource } from '../scenario/schema';

const MANIFEST = /\.(ya?ml|json)$/;
const KUSTOMIZATION = /^kustomization\.ya?ml$/;
/** Bases of bases; a circle ends here. */
const MAX_DEPTH = 10;

/** The files of one commit, by path. */
type Files = ReadonlyMap<string, string>;

/** Thrown with Argo CD's words for what it cannot render. */
class Unreadable extends Error {}

/**
 * The resources that Argo CD deploys from a folder, with their images: plain manifests; a kustomization's resources, images
 * and generated ConfigMaps; and of a Helm chart, which nothing here can render, the Service and the Deployment of the chart's
 * name with the image of `values.yaml`.
 * @param files - of the whole repository: a kustomization may name other folders
 * @param directory - the source's `directory`, of which `recurse` counts
 * @returns the resources, or Argo CD's reason why there are none
 */
export function readManifests(
  files: Files,
  path: string,
  directory?: unknown,
): readonly WorkloadResource[] | string {
  const folder = folderAt(path);
  try {
    const below = filesBelow(files, folder);
    if (below.length === 0) {
      return `${path}: app path does not exist`;
    }
    if (below.some(name => KUSTOMIZATION.test(name))) {
      return readKustomization(files, folder, 0);
    }
    if (below.includes('Chart.yaml')) {
      return readChart(files, folder);
    }
    return plainFiles(files, folder, directory).flatMap(name =>
      readFile(files, name),
    );
  } catch (error) {
    if (error instanceof Unreadable) {
      return error.message;
    }
    throw error;
  }
}

/**
 * The objects of the plain manifests in a folder, as they are written.
 * @throws Error for a file that is no YAML
 */
export function readObjects(
  files: Files,
  path: string,
  directory?: unknown,
): JsonObject[] {
  return plainFiles(files, folderAt(path), directory).flatMap(name =>
    documentsOf(files, name).filter(isJsonObject),
  );
}

function folderAt(path: string): string {
  return posix.normalize(path || '.').replace(/\/$/, '');
}

/** @param directory - the source's `directory`, of which `recurse` counts */
function plainFiles(
  files: Files,
  folder: string,
  directory: unknown,
): string[] {
  const recurse = isJsonObject(directory) && directory.recurse === true;
  return filesBelow(files, folder)
    .filter(name => MANIFEST.test(name) && (recurse || !name.includes('/')))
    .map(name => posix.join(folder, name));
}

/** Paths relative to the folder. */
function filesBelow(files: Files, folder: string): string[] {
  const prefix = folder === '.' ? '' : `${folder}/`;
  return [...files.keys()]
    .filter(name => name.startsWith(prefix))
    .map(name => name.slice(prefix.length));
}

function readFile(files: Files, path: string): WorkloadResource[] {
  return documentsOf(files, path).flatMap(document =>
    resourcesOf(document, path),
  );
}

function documentsOf(files: Files, path: string): unknown[] {
  const text = files.get(path);
  if (text === undefined) {
    throw new Unreadable(`${path}: no such file or directory`);
  }
  return parseAllDocuments(text).map(document => {
    const [error] = document.errors;
    if (error) {
      throw new Unreadable(`Failed to unmarshal "${path}": ${error.message}`);
    }
    return document.toJS();
  });
}

function resourcesOf(manifest: unknown, path: string): WorkloadResource[] {
  if (manifest === null || manifest === undefined) {
    return [];
  }
  if (!isJsonObject(manifest) || typeof manifest.kind !== 'string') {
    throw new Unreadable(
      `Failed to unmarshal "${path}": Object 'Kind' is missing`,
    );
  }
  if (manifest.kind.endsWith('List') && Array.isArray(manifest.items)) {
    return manifest.items.flatMap(item => resourcesOf(item, path));
  }
  const { kind, apiVersion = 'v1', metadata, spec } = manifest;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  const [version, group = ''] = String(apiVersion).split('/').reverse();
  const rollout = kind === 'Rollout' ? rolloutOf(spec) : undefined;
  return [
    {
      group,
      version,
      kind,
      name: String(name),
      ...(typeof namespace === 'string' && { namespace }),
      images: imagesOf(spec),
      ...(rollout && { rollout }),
    },
  ];
}

/** The images of all containers anywhere in a spec: of a pod, its template, or the template of a job's template. */
function imagesOf(spec: unknown): string[] {
  if (!isJsonObject(spec)) {
    return [];
  }
  const { containers, initContainers, template, jobTemplate } = spec;
  return [
    ...[initContainers, containers].flatMap(list =>
      Array.isArray(list)
        ? list.flatMap(each =>
            isJsonObject(each) && typeof each.image === 'string'
              ? [each.image]
              : [],
          )
        : [],
    ),
    ...[template, jobTemplate].flatMap(each =>
      isJsonObject(each) ? imagesOf(each.spec) : [],
    ),
  ];
}

/** Replicas and strategy as far as they are simulated; undefined where they are of another form. */
function rolloutOf(spec: unknown) {
  if (!isJsonObject(spec)) {
    return undefined;
  }
  const { replicas, strategy } = spec;
  const { canary, blueGreen } = isJsonObject(strategy) ? strategy : {};
  const steps = isJsonObject(canary) ? canary.steps : undefined;
  const { autoPromotionEnabled, autoPromotionSeconds } = isJsonObject(blueGreen)
    ? blueGreen
    : {};
  return rolloutSpec.safeParse({
    replicas,
    ...(isJsonObject(canary) && { canary: { steps } }),
    ...(isJsonObject(blueGreen) && {
      blueGreen: { autoPromotionEnabled, autoPromotionSeconds },
    }),
  }).data;
}

function readKustomization(
  files: Files,
  folder: string,
  depth: number,
): WorkloadResource[] {
  if (depth > MAX_DEPTH) {
    throw new Unreadable(`kustomize build ${folder}: cycle detected`);
  }
  const file = filesBelow(files, folder).find(name => KUSTOMIZATION.test(name));
  if (!file) {
    throw new Unreadable(
      `kustomize build ${folder}: unable to find one of 'kustomization.yaml', 'kustomization.yml'`,
    );
  }
  const path = posix.join(folder, file);
  const { resources, images, namespace, configMapGenerator } = readYaml(
    files,
    path,
  );
  const deployed = objectsOrTexts(resources)
    .map(String)
    .flatMap(name => {
      const target = posix.join(folder, name).replace(/\/$/, '');
      return files.has(target)
        ? readFile(files, target)
        : readKustomization(files, target, depth + 1);
    });
  const generated = objectsOrTexts(configMapGenerator)
    .filter(isJsonObject)
    .map(({ name }) => ({
      ...{ group: '', version: 'v1', kind: 'ConfigMap', images: [] },
      name: String(name),
    }));
  const replaced = objectsOrTexts(images).filter(isJsonObject);
  return [...generated, ...deployed].map((resource: WorkloadResource) => ({
    ...resource,
    ...(typeof namespace === 'string' && { namespace }),
    images: resource.images.map(image => replaceImage(image, replaced)),
  }));
}

/** Kustomize's `images`: `newName`, `newTag` and `digest` replace those of the image of that name. */
function replaceImage(image: string, images: readonly JsonObject[]): string {
  // The host of a registry may have a port.
  const mark = image.slice(image.lastIndexOf('/') + 1).search(/[:@]/);
  const length = mark < 0 ? image.length : image.lastIndexOf('/') + 1 + mark;
  const [name, rest] = [image.slice(0, length), image.slice(length)];
  const found = images.find(each => each.name === name);
  if (!found) {
    return image;
  }
  const { newName = name, newTag, digest } = found;
  if (digest) {
    return `${newName}@${digest}`;
  }
  return `${newName}${newTag === undefined ? rest : `:${newTag}`}`;
}

function readChart(files: Files, folder: string): WorkloadResource[] {
  const { name } = readYaml(files, posix.join(folder, 'Chart.yaml'));
  const values = posix.join(folder, 'values.yaml');
  const { image } = files.has(values) ? readYaml(files, values) : {};
  const { repository, tag = 'latest' } = isJsonObject(image) ? image : {};
  const deployed = repository ? `${repository}:${tag}` : image;
  const common = { version: 'v1', name: String(name) };
  return [
    { ...common, group: '', kind: 'Service', images: [] },
    {
      ...{ ...common, group: 'apps', kind: 'Deployment' },
      images: typeof deployed === 'string' ? [deployed] : [],
    },
  ];
}

function readYaml(files: Files, path: string): JsonObject {
  let read: unknown;
  try {
    read = parse(files.get(path) ?? '');
  } catch (error) {
    throw new Unreadable(
      `Failed to unmarshal "${path}": ${(error as Error).message}`,
    );
  }
  return isJsonObject(read) ? read : {};
}

function objectsOrTexts(list: unknown): unknown[] {
  return Array.isArray(list) ? list : [];
}
