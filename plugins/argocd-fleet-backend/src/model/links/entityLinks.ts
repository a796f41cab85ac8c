import type {
  EntityLink,
  NamespacedName,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { LinkRequest, WantedApplications } from './linkRequest';
import type { LinkWays } from './linkWays';
import { isWanted, type LinkableSets } from './linkableSets';
import type { ApplicationFacts, SetFacts } from './setFacts';

/** One configured hub, as far as links need it. */
export interface LinkHub {
  readonly name: string;
  /** Names of the Argo CD instances on it, for annotations of other plugins; its own name always counts. */
  readonly instances: readonly string[];
  /** Whether its ApplicationSets have been listed. */
  readonly listed: boolean;
  readonly sets: Pick<
    LinkableSets,
    | 'get'
    | 'all'
    | 'ofEntity'
    | 'selected'
    | 'ofApplications'
    | 'inFolder'
    | 'inRepository'
  >;
  /** Applications of that name that an ApplicationSet owns. */
  applicationsNamed(name: string): readonly {
    readonly applicationSet: NamespacedName;
    readonly facts: ApplicationFacts;
  }[];
}

/** What an entity is linked to. */
export interface EntityLinks {
  /** What its own annotations name first; each ApplicationSet once. */
  readonly links: EntityLink[];
  /** What is wrong with an annotation, and its syntax. */
  readonly problem?: string;
}

/** ApplicationSets that are found for one entity; more are cut off, which the entity's problem says. */
const MAX_FOUND = 100;

const NOTHING: EntityLinks = { links: [] };

/**
 * Finds the ApplicationSets of an entity. Its own annotations count alone; without them, each way of finding counts only
 * where those before it found nothing: relation, annotations for other plugins, repository.
 *
 * An ApplicationSet that is named without hub means every hub that has it; where none has, it is missing on the default
 * hub, unless a hub that has not been read yet may have it.
 * @param hubs - the configured hubs, the default one first
 * @param isVisible - whether the reader may see an ApplicationSet: what is not visible is not found
 */
export function entityLinks(
  request: LinkRequest,
  hubs: readonly LinkHub[],
  ways: LinkWays,
  isVisible: (ref: ObjectRef) => boolean,
): EntityLinks {
  if (request.isExplicit) {
    const named = request.refs.flatMap(ref => resolve(ref, hubs, isVisible));
    const selected = request.selector
      ? found(
          hubs,
          isVisible,
          'selector',
          'annotation argocd-fleet/selector',
          hub => hub.sets.selected(request.selector!),
        )
      : NOTHING;
    const nothingSelected =
      request.selector &&
      selected.links.length === 0 &&
      hubs.every(({ listed }) => listed)
        ? 'The annotation argocd-fleet/selector selects no ApplicationSet that you may see, by the labels of ApplicationSets.'
        : undefined;
    return {
      links: unique([...named, ...selected.links]),
      ...joined(request.problem, selected.problem, nothingSelected),
    };
  }
  const { applications, dependsOn, repositories } = request;
  const attempts = [
    () =>
      ways.relation && dependsOn.length > 0
        ? found(hubs, isVisible, 'relation', 'the relation dependsOn', hub =>
            dependsOn.flatMap(ref => [...hub.sets.ofEntity(ref)]),
          )
        : NOTHING,
    () =>
      ways.argocdAnnotations && applications
        ? found(
            hubs.filter(hub => isInstance(hub, applications)),
            isVisible,
            'argocdAnnotation',
            `annotation ${applications.annotation}`,
            hub => setsOfApplications(hub, applications),
          )
        : NOTHING,
    () =>
      ways.repository === 'off'
        ? NOTHING
        : found(hubs, isVisible, 'repository', 'its repository', hub =>
            repositories.flatMap(location => [
              ...(ways.repository === 'any'
                ? hub.sets.inRepository(location)
                : hub.sets.inFolder(location)),
            ]),
          ),
  ];
  for (const attempt of attempts) {
    const { links, problem } = attempt();
    if (links.length > 0) {
      return { links, ...(problem && { problem }) };
    }
  }
  return { links: [] };
}

/**
 * Why annotations for other Argo CD plugins link nothing, for a reader who wonders; undefined for an entity without.
 */
export function unmatchedHint(
  { applications, hint }: LinkRequest,
  hubs: readonly LinkHub[],
  ways: LinkWays,
): string | undefined {
  if (!applications) {
    return hint;
  }
  const { annotation, instances = [] } = applications;
  if (!ways.argocdAnnotations) {
    return `The annotation ${annotation} is not used: argocdFleet.links.argocdAnnotations is false.`;
  }
  if (!hubs.some(hub => isInstance(hub, applications))) {
    return `The annotation argocd/instance-name names ${instances.join(', ')}, which is no hub and no Argo CD instance of one. An administrator can set argocdFleet.hubs[].argocdInstances.`;
  }
  return `The annotation ${annotation} matches no Application that an ApplicationSet owns and that you may see.`;
}

const keyOf = ({ hub, namespace, name }: ObjectRef) =>
  `${hub}:${namespace}/${name}`;

/** The links to what is found on the hubs, by name. */
function found(
  hubs: readonly LinkHub[],
  isVisible: (ref: ObjectRef) => boolean,
  way: EntityLink['way'],
  via: string,
  find: (hub: LinkHub) => Iterable<SetFacts>,
): EntityLinks {
  const refs = hubs.flatMap(hub =>
    Array.from(find(hub), ({ ref }) => ({ hub: hub.name, ...ref })).sort(
      (a, b) => (keyOf(a) < keyOf(b) ? -1 : 1),
    ),
  );
  const links = unique(
    refs
      .filter(isVisible)
      .map(ref => ({ ref, way, via, state: 'found' as const })),
  );
  return links.length > MAX_FOUND
    ? {
        links: links.slice(0, MAX_FOUND),
        problem: `More than ${MAX_FOUND} ApplicationSets are found by ${via}: these are the first of them. Name those of this entity in the annotation argocd-fleet/applicationset.`,
      }
    : { links };
}

function isInstance(hub: LinkHub, { instances }: WantedApplications): boolean {
  return (
    instances === undefined ||
    instances.some(name => name === hub.name || hub.instances.includes(name))
  );
}

function setsOfApplications(
  { sets, applicationsNamed }: LinkHub,
  wanted: WantedApplications,
): Iterable<SetFacts> {
  return wanted.names
    ? wanted.names.flatMap(name =>
        applicationsNamed(name)
          .filter(({ facts }) => isWanted(facts, wanted))
          .flatMap(
            ({ applicationSet: { namespace, name: set } }) =>
              sets.get(`${namespace}/${set}`) ?? [],
          ),
      )
    : sets.ofApplications(wanted);
}

const absence = ({ listed }: LinkHub) =>
  listed ? 'missing' : 'hubUnavailable';

function resolve(
  ref: LinkRequest['refs'][number],
  hubs: readonly LinkHub[],
  isVisible: (ref: ObjectRef) => boolean,
): EntityLink[] {
  const { namespace, name } = ref;
  const stateOn = (hub: LinkHub): EntityLink['state'] => {
    const isThere =
      hub.sets.get(`${namespace}/${name}`) !== undefined &&
      isVisible({ hub: hub.name, namespace, name });
    return isThere ? 'found' : absence(hub);
  };
  const link = (hub: string, state: EntityLink['state']): EntityLink => ({
    ref: { hub, namespace, name },
    way: 'annotation',
    via: 'annotation argocd-fleet/applicationset',
    state,
  });
  if (ref.hub !== undefined) {
    const hub = hubs.find(each => each.name === ref.hub);
    return [link(ref.hub, hub ? stateOn(hub) : 'hubUnknown')];
  }
  const states = hubs.map(hub => link(hub.name, stateOn(hub)));
  return (
    [
      states.filter(({ state }) => state === 'found'),
      states.filter(({ state }) => state === 'hubUnavailable'),
      states.slice(0, 1),
    ].find(({ length }) => length > 0) ?? []
  );
}

function unique(links: readonly EntityLink[]): EntityLink[] {
  const first = new Map<string, EntityLink>();
  for (const link of links) {
    const key = keyOf(link.ref);
    if (!first.has(key)) {
      first.set(key, link);
    }
  }
  return [...first.values()];
}

function joined(...problems: readonly (string | undefined)[]): {
  problem?: string;
} {
  const all = problems.filter(problem => problem !== undefined);
  return all.length > 0 ? { problem: all.join(' ') } : {};
}
