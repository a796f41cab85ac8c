import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { matchesLabels } from '../placement/labelSelector';
import { ArgoCluster, withInCluster } from './argoClusters';
import { GeneratorInputs } from './generatorInputs';
import { GoStringMap } from './goValues';
import { renderer, TemplateParams } from './renderTemplate';
import { hasRequirements, selectorError } from './selectors';

/**
 * The parameters of the `clusters` generator: first Argo CD's own cluster, if
 * the selector has no requirements, then the clusters whose Secrets match.
 *
 * @throws Error in Argo CD's words if the selector or a value is invalid.
 */
export function clusterParams(
  generator: NonNullable<ApplicationSetGenerator['clusters']>,
  applicationSet: ApplicationSet,
  { clusters }: GeneratorInputs,
): TemplateParams[] {
  const { selector = {}, values = {}, flatList } = generator;
  const error = selectorError(selector, 'labels');
  if (error) {
    throw new Error(
      `error getting cluster secrets: error converting label selector: ${error}`,
    );
  }
  // Argo CD indexes the Secrets by cluster name: of two with the same name, the last wins.
  const selected = new Map<string, ArgoCluster>();
  for (const cluster of clusters) {
    if (matchesLabels(selector, cluster.secret?.labels ?? {})) {
      selected.set(cluster.name, cluster);
    }
  }
  const local: TemplateParams[] = [];
  const remote: TemplateParams[] = [];
  for (const cluster of withInCluster(clusters)) {
    const withSecret = selected.get(cluster.name);
    if (withSecret) {
      remote.push(secretParams(withSecret, applicationSet));
    } else if (!hasRequirements(selector)) {
      const { name, server } = cluster;
      local.push({ name, nameNormalized: name, server, project: '' });
    }
  }
  const params = [...local, ...remote].map(each => ({
    ...each,
    ...renderedValues(values, each, applicationSet),
  }));
  return flatList ? [{ clusters: params }] : params;
}

function secretParams(
  { name, server, secret }: ArgoCluster,
  applicationSet: ApplicationSet,
): TemplateParams {
  const { labels = {}, annotations = {}, project = '' } = secret ?? {};
  const params: TemplateParams = {
    name,
    nameNormalized: normalizedName(name),
    server: secret?.server ?? server,
    project,
  };
  if (applicationSet.spec?.goTemplate) {
    const metadata: TemplateParams = {};
    if (Object.keys(annotations).length > 0) {
      metadata.annotations = new GoStringMap(annotations);
    }
    if (Object.keys(labels).length > 0) {
      metadata.labels = new GoStringMap(labels);
    }
    return { ...params, metadata };
  }
  for (const [key, value] of Object.entries(annotations)) {
    params[`metadata.annotations.${key}`] = value;
  }
  for (const [key, value] of Object.entries(labels)) {
    params[`metadata.labels.${key}`] = value;
  }
  return params;
}

/** The parameters of `values`, rendered with the cluster's other parameters but not with each other. */
function renderedValues(
  values: Readonly<Record<string, string>>,
  params: TemplateParams,
  applicationSet: ApplicationSet,
): TemplateParams {
  const render = renderer(applicationSet);
  const rendered = Object.entries(values).map(
    ([key, value]): [string, string] => [key, render(value, params)],
  );
  if (rendered.length === 0) {
    return {};
  }
  return applicationSet.spec?.goTemplate
    ? { values: new GoStringMap(Object.fromEntries(rendered)) }
    : Object.fromEntries(
        rendered.map(([key, value]) => [`values.${key}`, value]),
      );
}

/** A cluster's name, converted to a valid part of an object name. */
function normalizedName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, 253)
    .replace(/^[-.]+|[-.]+$/g, '');
}
