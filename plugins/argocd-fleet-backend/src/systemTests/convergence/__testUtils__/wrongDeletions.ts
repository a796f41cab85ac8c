import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import type { EmbeddedHub } from 'embedded-hub';
import { targetOf, isPropagated } from './expectedWorks';

/**
 * The backend reads the Application right before it deletes its work. At most this many requests come between the two.
 */
const MAX_REQUESTS_BETWEEN = 60;

/** An Application during some time; undefined while it did not exist. */
interface ApplicationState {
  /** Indexes in the hub's request log: the state began not before `from` and ended not after `until`. */
  readonly from: number;
  until: number;
  readonly application: ArgoApplication | undefined;
}

/** The history of a fleet that determines which works may be deleted. */
export interface Timeline {
  /** By `<namespace>/<name>`, oldest first. */
  readonly applications: Map<string, ApplicationState[]>;
  /** Clusters that have been the hub itself at some time: they get no works. */
  readonly everLocal: Set<string>;
  /** Clusters that have been gone at some time: works there go with their Application or have no agent to wait for. */
  readonly everGone: Set<string>;
  /** `<namespace>/<cluster>` of every decision so far. */
  readonly everDecided: Set<string>;
}

/** Records the new state of an Application, which changed between these two requests of the log. */
export function recordState(
  { applications }: Timeline,
  key: string,
  from: number,
  until: number,
  application: ArgoApplication | undefined,
): void {
  const states = applications.get(key) ?? [
    { from: 0, until: Infinity, application: undefined },
  ];
  states[states.length - 1].until = until;
  applications.set(key, [...states, { from, until: Infinity, application }]);
}

/**
 * Works that the backend deleted although their Applications required them. The states that count are those between the
 * backend's last read of the Application and the deletion.
 */
export function wrongDeletions(
  requests: EmbeddedHub['requests'],
  { applications, everGone }: Timeline,
): string[] {
  return requests.flatMap((request, at) => {
    const { verb, resource, userAgent, status } = request;
    const { namespace = '', name = '' } = request;
    if (
      userAgent !== 'argocd-fleet' ||
      verb !== 'delete' ||
      resource !== 'manifestworks' ||
      status >= 300
    ) {
      return [];
    }
    const key = [...applications.keys()].find(each =>
      name.startsWith(`${each.split('/')[1]}-`),
    );
    if (!key) {
      return [`${namespace}/${name}: without an Application`];
    }
    const readAt = requests.findLastIndex(
      (each, index) =>
        index < at &&
        index >= at - MAX_REQUESTS_BETWEEN &&
        each.userAgent === 'argocd-fleet' &&
        each.verb === 'get' &&
        `${each.namespace}/${each.name}` === key,
    );
    const since = readAt < 0 ? at : readAt;
    const states = (applications.get(key) ?? []).filter(
      ({ from, until }) => from <= at && until >= since,
    );
    const justified = states.some(({ application }) =>
      isUnwanted(
        application,
        target =>
          everGone.has(namespace) ||
          // Its agent has reported about another work of the Application.
          requests.some(
            (each, index) =>
              index < at &&
              each.verb === 'patch' &&
              each.subresource === 'status' &&
              each.resource === 'manifestworks' &&
              each.namespace === target &&
              // On another cluster it has the same name.
              (target !== namespace || each.name !== name) &&
              each.name?.startsWith(`${key.split('/')[1]}-`) &&
              each.status < 300,
          ),
      ),
    );
    return justified
      ? []
      : [
          `${namespace}/${name} at request ${at}, while ${key} was ${JSON.stringify(
            states.map(({ application }) => application?.metadata),
          )}`,
        ];
  });
}

function isUnwanted(
  application: ArgoApplication | undefined,
  /** Whether the Application runs on that cluster by another work. */
  runs: (cluster: string) => boolean,
): boolean {
  if (!application || application.metadata.deletionTimestamp) {
    return true;
  }
  const target = targetOf(application);
  return isPropagated(application) && target !== undefined && runs(target);
}
