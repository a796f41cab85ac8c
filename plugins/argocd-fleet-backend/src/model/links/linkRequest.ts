import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  ARGOCD_ENTITY_ANNOTATIONS,
  SELECTOR_ENTITY_ANNOTATION,
  isNamespaceName,
  isObjectName,
  parseApplicationSetAnnotation,
  type AnnotatedApplicationSet,
  type LabelSelector,
} from 'backstage-plugin-argocd-fleet-common';
import { parseLabelSelector } from './labelSelector';
import { parseSourceLocation, type LocatedRepository } from './sourceLocation';

/** The parts of a catalog entity that link it to ApplicationSets. */
export interface LinkableEntity {
  readonly kind: string;
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly dependsOn?: unknown };
}

/** Applications that an entity's annotations for other Argo CD plugins name; what is given has to hold of each. */
export interface WantedApplications {
  readonly names?: readonly string[];
  readonly selector?: LabelSelector;
  readonly project?: string;
  readonly namespace?: string;
  /** Names of Argo CD instances; undefined for all hubs. */
  readonly instances?: readonly string[];
  /** The annotation that finds them, for messages. */
  readonly annotation: string;
}

/** All that an entity says about ApplicationSets, in the order in which it counts. */
export interface LinkRequest {
  /** Named by our own annotation. */
  readonly refs: readonly AnnotatedApplicationSet[];
  readonly selector?: LabelSelector;
  /** Resources that it depends on, by reference, in lower case. */
  readonly dependsOn: readonly string[];
  readonly applications?: WantedApplications;
  readonly repositories: readonly LocatedRepository[];
  /** Whether one of our own annotations is there: then nothing else counts. */
  readonly isExplicit: boolean;
  /** What is wrong with our own annotations. */
  readonly problem?: string;
  /** What is wrong with those for other plugins: they may be meant for another Argo CD. */
  readonly hint?: string;
}

/** Names, instances or entities in one annotation: more are cut off. */
const MAX_ENTRIES = 100;

/** The entities of ApplicationSets are resources of the default namespace. */
const RESOURCE = /^resource:(?:default\/)?([^:/]+)$/;

const SOURCE_LOCATION = 'backstage.io/source-location';

/** Reads what links an entity. */
export function readLinkRequest(entity: LinkableEntity): LinkRequest {
  const annotations = entity.metadata.annotations ?? {};
  const named = readNames(annotations[APPLICATION_SET_ENTITY_ANNOTATION]);
  const selected = readSelector(
    SELECTOR_ENTITY_ANNOTATION,
    annotations[SELECTOR_ENTITY_ANNOTATION],
  );
  const problems = [named.problem, selected.problem].filter(
    problem => problem !== undefined,
  );
  const applications = readApplications(annotations);
  return {
    refs: named.refs,
    ...(selected.selector && { selector: selected.selector }),
    dependsOn: readDependencies(entity.spec?.dependsOn),
    ...applications,
    repositories:
      entity.kind.toLowerCase() === 'component'
        ? parseSourceLocation(annotations[SOURCE_LOCATION] ?? '')
        : [],
    isExplicit:
      annotations[APPLICATION_SET_ENTITY_ANNOTATION] !== undefined ||
      annotations[SELECTOR_ENTITY_ANNOTATION] !== undefined,
    ...(problems.length > 0 && { problem: problems.join(' ') }),
  };
}

function readNames(value: string | undefined): {
  readonly refs: AnnotatedApplicationSet[];
  readonly problem?: string;
} {
  if (value === undefined) {
    return { refs: [] };
  }
  const { refs, malformed } = parseApplicationSetAnnotation(value);
  if (refs.length > 0 && malformed.length === 0) {
    return { refs };
  }
  const what =
    malformed.length > 0
      ? `cannot be read at ${malformed.map(entry => `“${entry}”`).join(', ')}`
      : 'is empty';
  return {
    refs,
    problem: `The annotation ${APPLICATION_SET_ENTITY_ANNOTATION} ${what}. Write <namespace>/<name> of the ApplicationSet, with the name of a hub in front where it matters, and commas between several: openshift-gitops/guestbook, hub-eu:openshift-gitops/guestbook`,
  };
}

function readSelector(
  annotation: string,
  value: string | undefined,
): { readonly selector?: LabelSelector; readonly problem?: string } {
  if (value === undefined) {
    return {};
  }
  const selector = parseLabelSelector(value);
  return typeof selector === 'string'
    ? {
        problem: `The annotation ${annotation} ${selector}. Write a label selector as for kubectl: app=guestbook, region in (eu,us)`,
      }
    : { selector };
}

function readApplications(
  annotations: Readonly<Record<string, string>>,
): Pick<LinkRequest, 'applications' | 'hint'> {
  const { name, selector, project, namespace, instance } =
    ARGOCD_ENTITY_ANNOTATIONS;
  const names = listIn(annotations[name]).filter(isObjectName);
  const projects = listIn(annotations[project]).filter(isObjectName);
  const namespaces = listIn(annotations[namespace]).filter(isNamespaceName);
  const instances = listIn(annotations[instance]);
  // An empty selector of a peer is as good as none.
  const selected = annotations[selector]?.trim()
    ? readSelector(selector, annotations[selector])
    : {};
  const isMalformed =
    selected.problem !== undefined ||
    [
      [name, names],
      [project, projects],
      [namespace, namespaces],
    ].some(
      ([annotation, read]) =>
        listIn(annotations[annotation as string]).length !== read.length,
    ) ||
    projects.length > 1 ||
    namespaces.length > 1;
  const annotation = [
    names.length > 0 && name,
    selected.selector && selector,
    projects.length > 0 && project,
  ].find(given => given);
  if (isMalformed) {
    return {
      hint:
        selected.problem ??
        `The annotations ${name}, ${project} and ${namespace} have to be names of Kubernetes objects, of project and namespace one each.`,
    };
  }
  return annotation
    ? {
        applications: {
          annotation,
          ...(names.length > 0 && { names }),
          ...selected,
          ...(projects.length > 0 && { project: projects[0] }),
          ...(namespaces.length > 0 && { namespace: namespaces[0] }),
          ...(instances.length > 0 && { instances }),
        },
      }
    : {};
}

/** The entries of a list with commas, without the empty ones. */
function listIn(value: string | undefined): string[] {
  return (value ?? '')
    .split(',', MAX_ENTRIES)
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}

function readDependencies(dependsOn: unknown): string[] {
  return Array.isArray(dependsOn)
    ? dependsOn
        .slice(0, MAX_ENTRIES)
        .flatMap(ref =>
          typeof ref === 'string'
            ? (RESOURCE.exec(ref.toLowerCase())?.[1] ?? [])
            : [],
        )
        .map(name => `resource:default/${name}`)
    : [];
}
