// Which clusters does a Placement select, and what can a new one be made of? `placementOptions` is what a form offers,
// `previewPlacement` the clusters that a choice selects now. The hub's own placement controller decides.

export { placementOptions, type PlacementInputs } from './placementOptions';
export { previewPlacement } from './placementPreview';
