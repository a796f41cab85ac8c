import type {
  ArgoApplication,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { FaultyHub } from './faultyHub';
import { workLabel } from './scenario';

type Described = Readonly<Record<string, unknown>>;

/** What a hub's fleet has come to; equal for two hubs on which the same happened. */
export interface FleetState {
  readonly works: Described;
  readonly reports: Described;
  readonly applications: Described;
  readonly secrets: Described;
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** Reads the hub as it is now, without what differs from one hub to the next by nature: UIDs and times. */
export async function fleetState(hub: FaultyHub): Promise<FleetState> {
  const applications = await hub.somebody.list('applications');
  const works = await hub.works();
  const reports = await hub.somebody.list('reports');
  const secrets = await hub.somebody.list('clusterSecrets');
  const plain = createNeutralizer(applications);
  return {
    works: describe(works, workLabel, ({ metadata, spec }) =>
      plain({
        name: metadata.name,
        labels: metadata.labels,
        annotations: metadata.annotations,
        finalizers: metadata.finalizers,
        going: Boolean(metadata.deletionTimestamp),
        spec,
      }),
    ),
    reports: describe(
      reports,
      ({ metadata }) => metadata.name,
      ({ metadata, statuses }) => plain({ labels: metadata.labels, statuses }),
    ),
    applications: describe(
      applications,
      ({ metadata }) => metadata.name,
      ({ metadata, spec, status, operation }) =>
        plain({
          labels: metadata.labels,
          annotations: metadata.annotations,
          finalizers: metadata.finalizers,
          spec,
          status,
          operation,
        }),
    ),
    secrets: describe(
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

/** A second work of one Application on one cluster is never left out. */
function describe<T extends KubernetesObject>(
  objects: readonly T[],
  labelOf: (object: T) => string,
  content: (object: T) => unknown,
): Described {
  const described: Record<string, unknown> = {};
  for (const object of objects) {
    const label = labelOf(object);
    const twice = label in described;
    described[twice ? `${label} ${object.metadata.name}` : label] =
      content(object);
  }
  return described;
}

function createNeutralizer(applications: readonly ArgoApplication[]) {
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
