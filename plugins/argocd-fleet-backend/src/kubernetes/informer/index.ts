export { flatText } from './flatText';
export {
  createObjectStore,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
} from './objectStore';
export { createNamespacedStore, type NamespacedStore } from './onDemandStore';
export {
  createReflector,
  type ListWatchStart,
  type Reflector,
  type ReflectorState,
  type ReflectorTiming,
} from './reflector';
export { createStructurePool } from './structureSharing';
