import { KubernetesValidatorFunctions } from '@backstage/catalog-model';
import {
  COMPONENT_ANNOTATIONS,
  type ArgoApplicationSet,
  type Finding,
  type InventoryComponent,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetFindings } from '../findings';
import { shownText } from '../text';

/** Which ApplicationSets may define components of the catalog. */
export interface ComponentPolicy {
  /** Namespaces of the hubs: whoever may write ApplicationSets there chooses names and owners of components. */
  readonly namespaces: ReadonlySet<string>;
  /** Whether components that the catalog already has of other namespaces stay. */
  readonly keepsExisting: boolean;
}

/** Characters of what is shown of a component; the catalog has no limits of its own. */
const MAX_OWNER = 200;
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 500;

/** The component that an ApplicationSet's annotations define, and why they may not. */
export function applicationSetComponent(
  { kind, metadata }: ArgoApplicationSet,
  policy: ComponentPolicy,
): {
  readonly component?: InventoryComponent;
  readonly problem?: Finding;
} {
  const { annotations = {}, namespace = '' } = metadata;
  const name = annotations[COMPONENT_ANNOTATIONS.name];
  if (name === undefined) {
    return {};
  }
  const object = { kind, name: metadata.name, namespace };
  if (!KubernetesValidatorFunctions.isValidObjectName(name)) {
    return {
      problem: applicationSetFindings.componentName({
        object,
        evidence: cut(name, MAX_TITLE),
      }),
    };
  }
  const isPermitted = policy.namespaces.has(namespace);
  const problem = isPermitted
    ? undefined
    : applicationSetFindings.componentNamespace(name, namespace, { object });
  if (!isPermitted && !policy.keepsExisting) {
    return { problem };
  }
  // One that is cut is no entity reference: kind, namespace and name have at most 63 characters each.
  const owner = cut(annotations[COMPONENT_ANNOTATIONS.owner], MAX_OWNER);
  const title = cut(annotations[COMPONENT_ANNOTATIONS.title], MAX_TITLE);
  const description = cut(
    annotations[COMPONENT_ANNOTATIONS.description],
    MAX_DESCRIPTION,
  );
  return {
    component: {
      name,
      ...(owner && { owner }),
      ...(title && { title }),
      ...(description && { description }),
      ...(!isPermitted && { existingOnly: true }),
    },
    problem,
  };
}

/** In one line. */
function cut(text: string = '', max: number): string {
  const characters = [...shownText(text).replace(/\s+/g, ' ').trim()];
  return characters.length <= max
    ? characters.join('')
    : `${characters.slice(0, max - 1).join('')}…`;
}
