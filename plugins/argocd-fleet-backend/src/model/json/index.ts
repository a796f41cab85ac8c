export { goJsonBytes } from './goJson';
export { isRecord, keysPatch, sameJson, type MergePatch } from './mergePatch';
export { parseWholeNumber } from './wholeNumber';
