export { searchConfigSchema, type SearchConfig } from './searchConfig';
export {
  createSearchSource,
  ROUND_TIMEOUTS,
  SEARCH_SOURCE,
} from './searchSource';
