export type { CacheEvent, InformerCache } from './cacheTypes';
export { flatText } from './flatText';
export { createInformerCache } from './informerCache';
export type {
  IndexFunction,
  ObjectChange,
  ObjectLister,
  TransformFunction,
} from './objectStore';
export type { ListWatchStart, ReflectorState } from './reflector';
export type { ReflectorTiming } from './reflectorTiming';
export { createStructurePool } from './structureSharing';
