import type { AuthService } from '@backstage/backend-plugin-api';
import { ANNOTATION_LOCATION, type Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  applicationSetMatcher,
  componentRef,
  isFleetLocation,
  readEntities,
  type Finding,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetHub } from './fleetHub';
import type { ComponentFindings } from './api';
import { createCatalogCheck, type CatalogCheckTask } from './catalogCheck';
import { applicationSetFindings, catalogFindings } from './model/findings';
import { applicationSetComponent } from './model/views';

/** Milliseconds until the catalog has what a new ApplicationSet defines. */
const SETTLED_AFTER_MS = 5 * 60_000;

/** An ApplicationSet whose annotations define a component. */
interface Definition {
  readonly ref: ObjectRef;
  readonly component: string;
  /** Its namespace may not define components, and keeps those that the catalog already has. */
  readonly existingOnly: boolean;
  /** The catalog may not have its component yet. */
  readonly isNew: boolean;
}

/** What the catalog has of a component. */
interface CatalogComponent {
  /** Whether it is made of ApplicationSets. */
  readonly isOfSets: boolean;
  readonly isNamed: (ref: ObjectRef) => boolean;
}

/**
 * Finds ApplicationSets whose component the catalog has from somewhere else, and those whose component only stays
 * because the catalog already has it. It looks at what the catalog has: only the catalog knows what other providers and
 * files gave it.
 */
export function createRefusedComponentsCheck(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<CatalogService, 'getEntitiesByRefs'>;
  readonly hubs: readonly Pick<FleetHub, 'name' | 'cache' | 'reader'>[];
  /** Called when the findings have changed. */
  readonly onChange: () => void;
}): ComponentFindings & { readonly task: CatalogCheckTask } {
  const { auth, catalog, hubs, onChange } = options;

  function definitions(): Definition[] {
    const settledBefore = Date.now() - SETTLED_AFTER_MS;
    return hubs.flatMap(({ name: hub, cache, reader }) =>
      [...cache.applicationSets.list()].flatMap(set => {
        const { namespace = '', name, creationTimestamp } = set.metadata;
        const { component } = applicationSetComponent(set, reader.components);
        return component
          ? {
              ref: { hub, namespace, name },
              component: component.name,
              existingOnly: component.existingOnly === true,
              isNew: Date.parse(creationTimestamp ?? '') > settledBefore,
            }
          : [];
      }),
    );
  }

  async function readComponents(
    names: readonly string[],
  ): Promise<ReadonlyMap<string, CatalogComponent>> {
    const credentials = await auth.getOwnServiceCredentials();
    const entities = await readEntities<Entity>(
      names.map(componentRef),
      entityRefs =>
        catalog.getEntitiesByRefs(
          { entityRefs, fields: ['kind', 'metadata.annotations'] },
          { credentials },
        ),
    );
    // Each annotation is parsed once: a tenant can name one component in any number of ApplicationSets.
    return new Map(
      [...entities].map(
        ([
          ref,
          {
            metadata: { annotations = {} },
          },
        ]) => [
          ref,
          {
            isOfSets: isFleetLocation(annotations[ANNOTATION_LOCATION]),
            isNamed: applicationSetMatcher(
              annotations[APPLICATION_SET_ENTITY_ANNOTATION],
            ),
          },
        ],
      ),
    );
  }

  async function check(): Promise<ReadonlyMap<string, readonly Finding[]>> {
    const defined = definitions();
    const components = await readComponents(
      defined.map(({ component }) => component),
    );
    const found = new Map<string, readonly Finding[]>();
    for (const definition of defined) {
      const component = components.get(componentRef(definition.component));
      const findings = component && findingsOf(definition, component);
      if (findings) {
        found.set(keyOf(definition.ref), findings);
      }
    }
    return found;
  }

  const { result, task } = createCatalogCheck<
    ReadonlyMap<string, readonly Finding[]>
  >('refused-components', new Map(), check, onChange);
  return { of: ref => result().get(keyOf(ref)), task };
}

/** Undefined where nothing has to be added to what the annotations alone say. */
function findingsOf(
  { ref, component, existingOnly, isNew }: Definition,
  { isOfSets, isNamed }: CatalogComponent,
): readonly Finding[] | undefined {
  const { hub, namespace, name } = ref;
  const details = { object: { kind: 'ApplicationSet', namespace, name } };
  if (isNamed(ref)) {
    if (!existingOnly) {
      return undefined;
    }
    return isOfSets
      ? [applicationSetFindings.componentKept(component, namespace, details)]
      : [];
  }
  if (existingOnly || isNew) {
    return undefined;
  }
  const finding = isOfSets
    ? catalogFindings.componentOfOtherOwner
    : catalogFindings.componentOfOtherLocation;
  return [finding(component, `${namespace}/${name} on hub ${hub}`, details)];
}

function keyOf({ hub, namespace, name }: ObjectRef): string {
  return JSON.stringify([hub, namespace, name]);
}
