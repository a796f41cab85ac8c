export {
  createResourceSources,
  type ResourceSources,
  type SourceRound,
} from './resourceSources';
