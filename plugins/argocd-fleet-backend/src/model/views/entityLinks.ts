import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  parseApplicationSetAnnotation,
  type AnnotatedApplicationSet,
  type EntityLink,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/** One configured hub, as far as links need it. */
export interface LinkHub {
  readonly name: string;
  /** Whether its ApplicationSets have been listed. */
  readonly listed: boolean;
  /** Whether it has that ApplicationSet. */
  has(applicationSet: NamespacedName): boolean;
}

/** What an entity's annotations link it to. */
export interface EntityLinks {
  readonly links: EntityLink[];
  /** What is wrong with the annotation, and its syntax. */
  readonly problem?: string;
}

const VIA = `annotation ${APPLICATION_SET_ENTITY_ANNOTATION}`;

/**
 * Reads an entity's annotations. A reference without hub means every hub that has the ApplicationSet; where none has,
 * it is missing on the default hub, unless a hub that has not been read yet may have it.
 * @param hubs - the configured hubs, the default one first
 */
export function entityLinks(
  annotations: Readonly<Record<string, string>> | undefined,
  hubs: readonly LinkHub[],
): EntityLinks {
  const value = annotations?.[APPLICATION_SET_ENTITY_ANNOTATION];
  if (value === undefined) {
    return { links: [] };
  }
  const { refs, malformed } = parseApplicationSetAnnotation(value);
  return {
    links: unique(refs.flatMap(ref => resolve(ref, hubs))),
    ...((malformed.length > 0 || refs.length === 0) && {
      problem: problem(malformed),
    }),
  };
}

function resolve(
  ref: AnnotatedApplicationSet,
  hubs: readonly LinkHub[],
): EntityLink[] {
  if (ref.hub !== undefined) {
    const hub = hubs.find(({ name }) => name === ref.hub);
    return [link(ref, ref.hub, hub ? stateOn(hub, ref) : 'hubUnknown')];
  }
  const states = hubs.map(({ name }, index) => ({
    name,
    state: stateOn(hubs[index], ref),
  }));
  const found = states.filter(({ state }) => state === 'found');
  const unread = states.filter(({ state }) => state === 'hubUnavailable');
  const shown = [found, unread, states.slice(0, 1)].find(
    ({ length }) => length > 0,
  );
  return (shown ?? []).map(({ name, state }) => link(ref, name, state));
}

function stateOn(
  hub: LinkHub,
  ref: AnnotatedApplicationSet,
): EntityLink['state'] {
  if (hub.has(ref)) {
    return 'found';
  }
  return hub.listed ? 'missing' : 'hubUnavailable';
}

function link(
  { namespace, name }: AnnotatedApplicationSet,
  hub: string,
  state: EntityLink['state'],
): EntityLink {
  return { ref: { hub, namespace, name }, via: VIA, state };
}

function unique(links: readonly EntityLink[]): EntityLink[] {
  const key = ({ ref }: EntityLink) =>
    `${ref.hub}:${ref.namespace}/${ref.name}`;
  return [...new Map(links.map(item => [key(item), item])).values()];
}

function problem(malformed: readonly string[]): string {
  const what =
    malformed.length > 0
      ? `cannot be read at ${malformed.map(entry => `“${entry}”`).join(', ')}`
      : 'is empty';
  return `The annotation ${APPLICATION_SET_ENTITY_ANNOTATION} ${what}. Write <namespace>/<name> of the ApplicationSet, with the name of a hub in front where it matters, and commas between several: openshift-gitops/guestbook, hub-eu:openshift-gitops/guestbook`;
}
