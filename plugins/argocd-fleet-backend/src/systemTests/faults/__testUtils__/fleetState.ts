import type {
  ArgoApplication,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { FaultyHub } from './faultyHub';
import { workLabel } from './scenario';

type ContentByLabel = Readonly<Record<string, unknown>>;

/** State of a hub's fleet; equal for two hubs with the same history. */
export interface FleetState {
  readonly works: ContentByLabel;
  readonly reports: ContentByLabel;
  readonly applications: ContentByLabel;
  readonly secrets: ContentByLabel;
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Reads a hub's state without UIDs and times, which differ between hubs. */
export async function fleetState(hub: FaultyHub): Promise<FleetState> {
  const applications = await hub.admin.list('applications');
  const works = await hub.works();
  const reports = await hub.admin.list('reports');
  const secrets = await hub.admin.list('clusterSecrets');
  const anonymous = createAnonymizer(applications);
  return {
    works: byLabel(works, workLabel, ({ metadata, spec }) =>
      anonymous({
        name: metadata.name,
        labels: metadata.labels,
        annotations: metadata.annotations,
        finalizers: metadata.finalizers,
        deleting: Boolean(metadata.deletionTimestamp),
        spec,
      }),
    ),
    reports: byLabel(
      reports,
      ({ metadata }) => metadata.name,
      ({ metadata, statuses }) =>
        anonymous({ labels: metadata.labels, statuses }),
    ),
    applications: byLabel(
      applications,
      ({ metadata }) => metadata.name,
      ({ metadata, spec, status, operation }) =>
        anonymous({
          labels: metadata.labels,
          annotations: metadata.annotations,
          finalizers: metadata.finalizers,
          spec,
          status,
          operation,
        }),
    ),
    secrets: byLabel(
      secrets,
      ({ metadata }) => metadata.name,
      ({ metadata: { labels, annotations }, data }) => ({
        labels,
        annotations,
        data,
      }),
    ),
  };
}

/** Objects with the same label, such as two works of one Application on one cluster, are all kept. */
function byLabel<T extends KubernetesObject>(
  objects: readonly T[],
  labelOf: (object: T) => string,
  content: (object: T) => unknown,
): ContentByLabel {
  const contents: Record<string, unknown> = {};
  for (const object of objects) {
    const label = labelOf(object);
    const isTaken = label in contents;
    contents[isTaken ? `${label} ${object.metadata.name}` : label] =
      content(object);
  }
  return contents;
}

function createAnonymizer(applications: readonly ArgoApplication[]) {
  return (value: unknown): unknown => {
    let text = JSON.stringify(value).replace(TIME, '<time>');
    for (const { metadata } of applications) {
      const { name, uid = '' } = metadata;
      text = text
        .replaceAll(uid, '<uid>')
        .replaceAll(`${name}-${uid.slice(0, 5)}`, `${name}-<uid>`);
    }
    return JSON.parse(text);
  };
}
