export { saysMessage } from './keptMessage';
export type { SpecWriter } from './specWriter';
export { slimObject } from './transformObject';
export { hasContent, slimReport } from './transformReport';
export { configFingerprint, slimSecret } from './transformSecret';
