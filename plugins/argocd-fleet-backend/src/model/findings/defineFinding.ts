import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { mapTexts, shownText } from '../text';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** What a finding is about, and the words of Kubernetes or Argo CD that show it. */
export type Details = Pick<Finding, 'evidence' | 'object'>;

/**
 * What a finding tells of others than the one it is shown to: `nothing`, `clusters` (it names or counts them), or
 * `applications` (it names or counts those, ApplicationSets or their objects, on clusters).
 */
export type Revealed = 'nothing' | 'clusters' | 'applications';

/** A kind of finding: makes findings, all with its code and severity. */
export interface FindingDefinition<
  Code extends string = string,
  Parameters extends readonly unknown[] = readonly never[],
> {
  (...parameters: Parameters): Finding;
  readonly code: Code;
  readonly severity: Finding['severity'];
  readonly reveals: Revealed;
}

/** The findings of one range of codes, by name; the range is the first digit of its codes, or the first two. */
export type FindingsOfRange<Range extends string> = Readonly<
  Record<
    string,
    FindingDefinition<`AFC-${Range}${Digit}` | `AFC-${Range}${Digit}${Digit}`>
  >
>;

/**
 * Defines a kind of finding.
 * @param code - never changes its meaning; docs/findings/ describes it
 * @param describe - the texts: what is wrong, where, and what to do
 * @param reveals - who may see only a part of what it tells does not get it where it is about everybody's objects
 */
export function defineFinding<
  Code extends string,
  Parameters extends readonly unknown[],
>(
  code: Code,
  severity: Finding['severity'],
  describe: (...parameters: Parameters) => Omit<Finding, 'code' | 'severity'>,
  reveals: Revealed = 'applications',
): FindingDefinition<Code, Parameters> {
  return Object.assign(
    (...parameters: Parameters): Finding => ({
      code,
      severity,
      ...withShownTexts(describe(...parameters)),
    }),
    { code, severity, reveals },
  );
}

/** A command is not cut or changed: it names only what passes as a Kubernetes name. */
function withShownTexts<T extends Omit<Finding, 'code' | 'severity'>>({
  fix,
  ...texts
}: T) {
  return {
    ...mapTexts(texts, shownText),
    ...(fix && {
      fix: {
        ...fix,
        description: shownText(fix.description),
        ...(fix.alternatives && {
          alternatives: fix.alternatives.map(each => ({
            ...each,
            description: shownText(each.description),
          })),
        }),
      },
    }),
  };
}
