import { ApplicationSet } from '../kubernetes/argocdTypes';

/** What an ApplicationSet asks for that the fleet does not do, as a reason not to generate anything. */
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
