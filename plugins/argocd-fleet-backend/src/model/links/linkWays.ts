/** Which ways of finding ApplicationSets are switched on, besides our own annotations. */
export interface LinkWays {
  /** Relations to the entities of ApplicationSets. */
  readonly relation: boolean;
  /** Annotations for other Argo CD plugins. */
  readonly argocdAnnotations: boolean;
  /** `path`: where repository and path match; `any`: also where only the repository does. */
  readonly repository: 'off' | 'path' | 'any';
}

/** By default, links that may be meant otherwise are not made. */
export const DEFAULT_LINK_WAYS: LinkWays = {
  relation: true,
  argocdAnnotations: true,
  repository: 'path',
};
