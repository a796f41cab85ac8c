// The terms by which ApplicationSets are found, and those that an entity asks for: where both have one in common, they may
// be linked.

import type {
  LabelSelector,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { isPositive } from './labelSelector';
import type { LinkRequest } from './linkRequest';
import type { LinkWays } from './linkWays';
import { repositoryKey, type RepositoryAddress } from './repositoryAddress';
import type { SetFacts } from './setFacts';
import type { LocatedRepository } from './sourceLocation';

/** Where a source of an ApplicationSet is. */
export interface SourcePlace {
  readonly address: RepositoryAddress;
  /** Undefined for one without a path: a chart, or a repository of values only. */
  readonly path: readonly string[] | undefined;
  readonly revision: string | undefined;
}

/** Slashes in the name of a branch are few. */
const MAX_REVISION_SEGMENTS = 6;

/** Deeper folders are found by those above them: a tenant writes the path, and each folder of it is a term. */
const MAX_FOLDERS = 16;

const nameTerm = ({ namespace, name }: NamespacedName) =>
  `set ${namespace}/${name}`;
export const entityTerm = (ref: string) => `entity ${ref}`;
export const projectTerm = (project: string) => `project ${project}`;
export const repositoryTerm = (address: RepositoryAddress) =>
  `repository ${repositoryKey(address)}`;

const folderTerm = (address: RepositoryAddress, folder: readonly string[]) =>
  `folder ${repositoryKey(address)} ${folder.join('/')}`;

/** The term by which Applications of that name are found. */
export const applicationTerm = (name: string) => `application ${name}`;

function labelTerms(prefix: 'l' | 'a', labels: SetFacts['labels']): string[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    `${prefix} ${key}`,
    `${prefix} ${key}=${value}`,
  ]);
}

/** For each requirement that a label be there, the terms of which a set has at least one. */
export function selectorTerms(
  prefix: 'l' | 'a',
  { matchExpressions = [] }: LabelSelector,
): string[][] {
  return matchExpressions
    .filter(isPositive)
    .map(({ key, operator, values = [] }) =>
      operator === 'Exists'
        ? [`${prefix} ${key}`]
        : values.map(value => `${prefix} ${key}=${value}`),
    );
}

/** The folders that a source is in, its own included; only what is at the root is found there. */
function placeTerms({ address, path }: SourcePlace): string[] {
  if (!path || path.length === 0) {
    return path ? [folderTerm(address, [])] : [];
  }
  return path
    .slice(0, MAX_FOLDERS)
    .map((_, index) => folderTerm(address, path.slice(0, index + 1)));
}

/** Where a branch may have slashes in its name, the path may begin after any segment. */
export function folderTerms({
  repository,
  after,
  hasRevision,
}: LocatedRepository): string[] {
  return hasRevision
    ? after
        .slice(0, MAX_REVISION_SEGMENTS)
        .map((_, index) => folderTerm(repository, after.slice(index + 1)))
    : [folderTerm(repository, after)];
}

/** The terms by which an ApplicationSet is found. */
export function termsOf(
  { ref, labels, entityRef, applications }: SetFacts,
  places: readonly SourcePlace[],
): string[] {
  return [
    ...new Set([
      nameTerm(ref),
      entityTerm(entityRef),
      ...labelTerms('l', labels),
      ...applications.flatMap(application => [
        projectTerm(application.project),
        ...labelTerms('a', application.labels),
      ]),
      ...places.flatMap(place => [
        repositoryTerm(place.address),
        ...placeTerms(place),
      ]),
    ]),
  ];
}

function applicationTerms({
  names,
  selector,
  project,
}: NonNullable<LinkRequest['applications']>): string[] {
  if (names) {
    return names.map(applicationTerm);
  }
  const [first] = selector ? selectorTerms('a', selector) : [];
  return first ?? (project === undefined ? [] : [projectTerm(project)]);
}

/**
 * The terms of which every ApplicationSet has one that the request finds, and some others: what is to be found anew
 * when an ApplicationSet changes that has it.
 */
export function requestTerms(
  request: LinkRequest,
  { repository }: Pick<LinkWays, 'repository'>,
): string[] {
  const { refs, selector, dependsOn, applications, repositories } = request;
  if (request.isExplicit) {
    return [
      ...refs.map(nameTerm),
      ...(selector ? (selectorTerms('l', selector)[0] ?? []) : []),
    ];
  }
  return [
    ...dependsOn.map(entityTerm),
    ...(applications ? applicationTerms(applications) : []),
    ...repositories.flatMap(location =>
      repository === 'any'
        ? [repositoryTerm(location.repository)]
        : folderTerms(location),
    ),
  ];
}
