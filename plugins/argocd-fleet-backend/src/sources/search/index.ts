/**
 * RHACM's Search as a resource source: queries in batches of clusters, and reads the answers.
 * Main entry: `createSearchSource`. This room does not store answers and does not know other sources.
 */
export {
  readSearch,
  searchConfigSchema,
  type SearchConfig,
} from './searchConfig';
export {
  createSearchSource,
  ROUND_TIMEOUTS,
  SEARCH_SOURCE,
} from './searchSource';
