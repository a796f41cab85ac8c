import type {
  AuthService,
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import {
  CATALOG_FILTER_EXISTS,
  type EntityFilterQuery,
} from '@backstage/catalog-client';
import {
  RELATION_DEPENDS_ON,
  RELATION_OWNED_BY,
  stringifyEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  ARGOCD_ENTITY_ANNOTATIONS,
  LINK_WAYS,
  SELECTOR_ENTITY_ANNOTATION,
  type EntityLink,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSetResourceRef,
  normalizeOwner,
} from 'backstage-plugin-argocd-fleet-node';
import { createYield } from '../async';
import {
  readLinkRequest,
  requestTerms,
  type LinkRequest,
} from '../model/links';
import type { FleetLinks } from './fleetLinks';

/** An entity of the catalog that is linked to an ApplicationSet. */
export interface LinkedEntity {
  readonly entityRef: string;
  readonly way: EntityLink['way'];
  readonly via: string;
}

/** The entities of the catalog that are linked to ApplicationSets. */
export interface LinkedEntities {
  /** Those that name it themselves first; without the ApplicationSet's own entity. */
  of(applicationSet: ObjectRef): readonly LinkedEntity[];
  /**
   * Normalized owners of the entities whose annotation names it, its own entity included; undefined until the catalog
   * has been read. What was found otherwise makes nobody an owner.
   */
  ownersOf(applicationSet: ObjectRef): readonly string[] | undefined;
  /** Calls back for an ApplicationSet whose linked entities changed. */
  onChange(listener: (applicationSet: ObjectRef) => void): void;
  /** Finds anew what may have changed since the last time, as the other calls do, and lets others run in between. */
  update(): Promise<void>;
}

interface KnownEntity {
  /** All that the links depend on, as text. */
  readonly text: string;
  readonly request: LinkRequest;
  readonly terms: readonly string[];
  readonly owners: readonly string[];
  links: readonly EntityLink[];
}

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.annotations',
  'spec.dependsOn',
  'relations',
];

const NAMED = [APPLICATION_SET_ENTITY_ANNOTATION, SELECTOR_ENTITY_ANNOTATION];
const SOURCE_LOCATION = 'backstage.io/source-location';
const PEERS = Object.values(ARGOCD_ENTITY_ANNOTATIONS);
const LINKING = [...NAMED, ...PEERS, SOURCE_LOCATION];

const annotated = (annotation: string) => ({
  [`metadata.annotations.${annotation}`]: CATALOG_FILTER_EXISTS,
});

const ANNOTATED = [...NAMED, ...PEERS].map(annotated);
const EVERYTHING = [
  ...ANNOTATED,
  { [`relations.${RELATION_DEPENDS_ON}`]: CATALOG_FILTER_EXISTS },
  { kind: 'component', ...annotated(SOURCE_LOCATION) },
];

/** In the first minutes after the start, the catalog fills, and each run reads everything. */
const FIRST_RUNS = 20;
/** Later, each so many-th run reads the entities with an annotation, and each so many-th everything. */
const ANNOTATED_EVERY = 4;
const EVERYTHING_EVERY = 20;

/** Knows what the catalog's entities are linked to; it reads the catalog as the plugin itself. */
export function createLinkedEntities(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<CatalogService, 'streamEntities'>;
  readonly links: FleetLinks;
  /** Called when the catalog has changed what is linked, or who owns it. */
  readonly onCatalogChange: () => void;
}): LinkedEntities & {
  readonly task: SchedulerServiceTaskInvocationDefinition &
    SchedulerServiceTaskScheduleDefinition;
} {
  const { auth, catalog, links, onCatalogChange } = options;
  const entities = new Map<string, KnownEntity>();
  /** References of entities, by the terms that their links depend on. */
  const byTerm = new Map<string, Set<string>>();
  /** By ApplicationSet: the links of entities to it. */
  const bySet = new Map<string, Map<string, EntityLink>>();
  const listeners: ((applicationSet: ObjectRef) => void)[] = [];
  /** References of entities whose links may have changed. */
  const affected = new Set<string>();
  let isRead = false;
  let runs = 0;

  function forget(entityRef: string) {
    const known = entities.get(entityRef);
    if (known) {
      replaceLinks(entityRef, known.links, []);
      known.terms.forEach(term => removeFrom(byTerm, term, entityRef));
      entities.delete(entityRef);
    }
  }

  function learn(entityRef: string, entity: Entity): boolean {
    const owners = ownersOf(entity);
    const text = JSON.stringify([
      LINKING.map(key => entity.metadata.annotations?.[key]),
      entity.spec?.dependsOn,
      owners,
    ]);
    if (entities.get(entityRef)?.text === text) {
      return false;
    }
    forget(entityRef);
    const request = readLinkRequest(entity);
    const terms = [...new Set(requestTerms(request, links.ways))];
    const known = { text, request, terms, owners, links: [] };
    entities.set(entityRef, known);
    terms.forEach(term => addTo(byTerm, term, entityRef));
    find(entityRef, known);
    return true;
  }

  function find(entityRef: string, known: KnownEntity) {
    const found = links
      .linksOf(known.request)
      .links.filter(({ state }) => state === 'found');
    replaceLinks(entityRef, known.links, found);
    known.links = found;
  }

  function replaceLinks(
    entityRef: string,
    before: readonly EntityLink[],
    after: readonly EntityLink[],
  ) {
    const left = new Map(before.map(link => [keyOf(link.ref), link]));
    for (const link of after) {
      const key = keyOf(link.ref);
      const known = left.get(key);
      left.delete(key);
      if (known?.way !== link.way || known.via !== link.via) {
        const of = bySet.get(key) ?? new Map<string, EntityLink>();
        of.set(entityRef, link);
        bySet.set(key, of);
        listeners.forEach(listener => listener(link.ref));
      }
    }
    for (const [key, { ref }] of left) {
      const of = bySet.get(key);
      of?.delete(entityRef);
      if (of?.size === 0) {
        bySet.delete(key);
      }
      listeners.forEach(listener => listener(ref));
    }
  }

  /** Finds the links of one entity anew at each step. */
  function* steps(): Generator<void> {
    for (const term of links.takeChangedTerms()) {
      byTerm.get(term)?.forEach(ref => affected.add(ref));
    }
    for (const entityRef of [...affected]) {
      const known = entities.get(entityRef);
      if (affected.delete(entityRef) && known) {
        find(entityRef, known);
        yield;
      }
    }
  }

  function updateNow() {
    const rest = steps();
    while (!rest.next().done);
  }

  async function update() {
    await links.refresh();
    const yieldSometimes = createYield();
    for (const _ of steps()) {
      await yieldSometimes();
    }
  }

  async function read(filter: EntityFilterQuery): Promise<boolean> {
    const yieldSometimes = createYield();
    const seen = new Set<string>();
    let isChanged = false;
    const pages = catalog.streamEntities(
      { filter, fields: FIELDS },
      { credentials: await auth.getOwnServiceCredentials() },
    );
    for await (const page of pages) {
      for (const entity of page) {
        const entityRef = stringifyEntityRef(entity);
        seen.add(entityRef);
        isChanged = learn(entityRef, entity) || isChanged;
        await yieldSometimes();
      }
    }
    for (const [entityRef, { request }] of [...entities]) {
      const isRefound = filter === EVERYTHING || isAnnotated(request);
      if (isRefound && !seen.has(entityRef)) {
        forget(entityRef);
        isChanged = true;
      }
    }
    return isChanged;
  }

  return {
    of(applicationSet) {
      updateNow();
      const own = applicationSetResourceRef(applicationSet).toLowerCase();
      return [...(bySet.get(keyOf(applicationSet)) ?? [])]
        .filter(([entityRef]) => entityRef !== own)
        .map(([entityRef, { way, via }]) => ({ entityRef, way, via }))
        .sort(
          (a, b) =>
            LINK_WAYS.indexOf(a.way) - LINK_WAYS.indexOf(b.way) ||
            (a.entityRef < b.entityRef ? -1 : 1),
        );
    },
    ownersOf(applicationSet) {
      if (!isRead) {
        return undefined;
      }
      updateNow();
      const found = new Set<string>();
      for (const [entityRef, { way }] of bySet.get(keyOf(applicationSet)) ??
        []) {
        if (way === 'annotation') {
          entities.get(entityRef)?.owners.forEach(owner => found.add(owner));
        }
      }
      return [...found].sort();
    },
    onChange: listener => void listeners.push(listener),
    update,
    task: {
      id: 'linked-entities',
      // Every replica decides by what it read itself.
      scope: 'local',
      frequency: { seconds: 15 },
      timeout: { minutes: 1 },
      async fn() {
        const run = runs;
        runs += 1;
        await update();
        const isFull = run < FIRST_RUNS || run % EVERYTHING_EVERY === 0;
        if (!isFull && run % ANNOTATED_EVERY !== 0) {
          return;
        }
        const isChanged = await read(isFull ? EVERYTHING : ANNOTATED);
        if (isChanged || !isRead) {
          isRead = true;
          onCatalogChange();
        }
      },
    },
  };
}

/** Whether the filter of annotations finds the entity. */
function isAnnotated({ isExplicit, applications, hint }: LinkRequest): boolean {
  return isExplicit || applications !== undefined || hint !== undefined;
}

function ownersOf({ relations = [] }: Entity): string[] {
  return relations
    .filter(({ type }) => type === RELATION_OWNED_BY)
    .flatMap(({ targetRef }) => normalizeOwner(targetRef) ?? []);
}

function keyOf({ hub, namespace, name }: ObjectRef): string {
  return `${hub}:${namespace}/${name}`;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string) {
  const values = map.get(key);
  if (values) {
    values.add(value);
  } else {
    map.set(key, new Set([value]));
  }
}

function removeFrom(map: Map<string, Set<string>>, key: string, value: string) {
  const values = map.get(key);
  values?.delete(value);
  if (values?.size === 0) {
    map.delete(key);
  }
}
