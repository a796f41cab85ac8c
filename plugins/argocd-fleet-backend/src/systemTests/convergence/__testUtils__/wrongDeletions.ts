import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import type { EmbeddedHub } from 'embedded-hub';
import { targetOf, wanted } from './expectedWorks';

/** The backend asks for the Application right before it deletes: so many requests of others may come between the two. */
const DELETES_AFTER = 60;

/** What an Application was; undefined where there was none. */
interface ApplicationState {
  /** Numbers of requests in the hub's log: it came to be not before the first, and was over not after the second. */
  readonly from: number;
  until: number;
  readonly application: ArgoApplication | undefined;
}

/** What has become of a fleet so far, as far as it decides which works may be deleted. */
export interface Timeline {
  /** By `<namespace>/<name>`, oldest first. */
  readonly applications: Map<string, ApplicationState[]>;
  /** Clusters that have been the hub itself at some time: works are not brought there. */
  readonly everLocal: Set<string>;
  /** `<namespace>/<cluster>` of every decision that there has been. */
  readonly everDecided: Set<string>;
}

/** Takes down that an Application has become this, between these two requests of the log. */
export function note(
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
 * The works that the backend deleted although their Applications wanted them, judged by what each Application was between the moment at
 * which the backend last asked for it and that of the deletion.
 */
export function wrongDeletions(
  requests: EmbeddedHub['requests'],
  { applications, everLocal }: Timeline,
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
      return [`${namespace}/${name}: of no Application`];
    }
    const asked = requests.findLastIndex(
      (each, index) =>
        index < at &&
        index >= at - DELETES_AFTER &&
        each.userAgent === 'argocd-fleet' &&
        each.verb === 'get' &&
        `${each.namespace}/${each.name}` === key,
    );
    const since = asked < 0 ? at : asked;
    const states = (applications.get(key) ?? []).filter(
      ({ from, until }) => from <= at && until >= since,
    );
    const justified = states.some(({ application }) =>
      isUnwanted(
        name,
        namespace,
        application,
        target =>
          everLocal.has(target) ||
          requests.some(
            (each, index) =>
              index < at &&
              each.verb === 'create' &&
              each.resource === 'manifestworks' &&
              each.namespace === target &&
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
  workName: string,
  cluster: string,
  application: ArgoApplication | undefined,
  /** Whether the workload is somewhere else, as far as it can be. */
  delivered: (cluster: string) => boolean,
): boolean {
  if (!wanted(application)) {
    return true;
  }
  const { name, uid = '' } = application.metadata;
  if (!workName.startsWith(`${name}-${uid.slice(0, 5)}`)) {
    return true;
  }
  const target = targetOf(application);
  return target !== undefined && target !== cluster && delivered(target);
}
