export { saysMessage } from './keptMessage';
export type { SpecWriter } from './specWriter';
export { transformObject } from './transformObject';
export { hasContent, transformReport } from './transformReport';
export { configFingerprint, transformSecret } from './transformSecret';
