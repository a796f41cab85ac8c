// A cache of any Kubernetes API's resources, kept up to date by list and watch, as client-go's shared informers: the
// resources, transforms and indexes come from outside. `createInformerCache` is the main entry; `reflector.ts` lists
// and watches one resource.

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
