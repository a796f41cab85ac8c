// JSON values as Kubernetes compares, patches and measures them: equality (`sameJson`), merge patches of labels and
// annotations (`keysPatch`), the size of JSON as Go writes it (`goJsonBytes`), and whole numbers sent as text.
// This room knows nothing of the pull model, so no section of docs/pull-model.md is about it.

export { goJsonBytes } from './goJson';
export { isRecord, keysPatch, sameJson, type MergePatch } from './mergePatch';
export { parseWholeNumber } from './wholeNumber';
