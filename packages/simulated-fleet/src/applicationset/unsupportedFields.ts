import { ApplicationSet } from '../kubernetes/argocdTypes';

/** The error for a field that the fleet does not simulate, because of which it generates nothing; or undefined. */
export function unsupportedField({
  spec,
}: ApplicationSet): { reason: string; message: string } | undefined {
  const withJq = spec?.ignoreApplicationDifferences?.some(
    ({ jqPathExpressions }) => jqPathExpressions?.length,
  );
  return withJq
    ? {
        reason: 'ApplicationGenerationFromParamsError',
        message:
          'the simulated ApplicationSet controller does not evaluate jqPathExpressions in ignoreApplicationDifferences: use jsonPointers',
      }
    : undefined;
}
