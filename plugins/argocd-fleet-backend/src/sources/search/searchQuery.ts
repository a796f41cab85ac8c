import { APPLICATION_SET_LABEL } from 'backstage-plugin-argocd-fleet-common';

/** Finds Applications and their related items; each search of the input has its own result. */
export const SEARCH_QUERY = `query argocdFleet($input: [SearchInput]) {
  search(input: $input) {
    items
    related { kind items }
  }
}`;

/** One search of a query. */
export interface SearchInput {
  readonly filters: readonly {
    readonly property: string;
    readonly values: readonly string[];
  }[];
  readonly limit: number;
}

/** Finds the Applications of ApplicationSets on some clusters. */
export function applicationSearch(
  clusters: readonly string[],
  limit: number,
): SearchInput {
  return {
    filters: [
      { property: 'kind', values: ['Application'] },
      { property: 'apigroup', values: ['argoproj.io'] },
      { property: 'label', values: [`${APPLICATION_SET_LABEL}=true`] },
      { property: 'cluster', values: clusters },
    ],
    limit,
  };
}
