// Creates, updates and removes the ManifestWork of each pull-model Application. Key: a hub Application. What is desired
// is decided in model/manifestwork. Rules: docs/pull-model.md.

export { createPropagation } from './propagation';
export { createWorkFields } from './workFields';
export { createWorkRemovals } from './workRemovals';
