import { buildSchema } from 'graphql';

/** The part of RHACM's Search v2 schema that queries for Applications use. */
export const searchSchema = buildSchema(`
  scalar Map

  input SearchFilter {
    "Values of one property are alternatives; '!' before a value excludes it."
    property: String!
    values: [String]!
  }

  input SearchInput {
    keywords: [String]
    filters: [SearchFilter]
    "-1 for no limit; 10,000 by default"
    limit: Int
    relatedKinds: [String]
  }

  type SearchRelatedResult {
    kind: String!
    count: Int
    items: [Map]
  }

  type SearchResult {
    count: Int
    items: [Map]
    related: [SearchRelatedResult]
  }

  type Query {
    search(input: [SearchInput]): [SearchResult]
  }
`);

/** One item of the index: a flat map of properties, as in Search. */
export type SearchItem = Readonly<Record<string, string | number | string[]>>;

/** One search, as in the GraphQL schema. */
export interface SearchInput {
  keywords?: (string | null)[] | null;
  filters?: { property: string; values: (string | null)[] }[] | null;
  limit?: number | null;
  relatedKinds?: (string | null)[] | null;
}
