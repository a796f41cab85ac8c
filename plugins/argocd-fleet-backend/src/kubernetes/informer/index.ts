export { flatText } from './flatText';
export {
  createObjectStore,
  type IndexFunction,
  type ObjectChange,
  type ObjectLister,
  type ObjectStore,
} from './objectStore';
export { createOnDemandStore, type OnDemandStore } from './onDemandStore';
export {
  createReflector,
  type HubReading,
  type Reflector,
  type ReflectorState,
  type ReflectorTiming,
} from './reflector';
export { createStructurePool } from './structureSharing';
