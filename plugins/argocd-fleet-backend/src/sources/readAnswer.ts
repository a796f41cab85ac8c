import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSourceAnswer,
  ResourceSourceRequest,
} from 'backstage-plugin-argocd-fleet-node';
import { sourceFindings } from '../model/findings';
import { isRecord } from '../model/json';
import { mapTexts, shownText } from '../model/text';

/** Characters of the first malformed item in a finding. */
const EXAMPLE_LENGTH = 300;

/**
 * Validates the answer of a source, which may be third-party code, and keeps its texts as they are shown. Details that do not name their Application are left
 * out and counted. They could belong to any Application, so every cluster counts as incomplete and earlier answers are
 * kept.
 * @throws Error where the answer has no list of details
 */
export function readAnswer(
  source: string,
  { hub, applications }: ResourceSourceRequest,
  answer: unknown,
): ResourceSourceAnswer {
  const all: unknown = isRecord(answer) ? answer.details : undefined;
  if (!isRecord(answer) || !Array.isArray(all)) {
    throw new Error('it answered without a list of details');
  }
  const read = mapTexts(answer, shownText) as unknown as ResourceSourceAnswer;
  const details = read.details.filter(namesApplication);
  if (details.length === all.length) {
    return read;
  }
  return {
    details,
    incomplete: applications.map(({ cluster }) => cluster),
    findings: [
      ...(read.findings ?? []),
      malformedFinding(
        source,
        hub,
        all.length - details.length,
        all.find(each => !namesApplication(each)),
      ),
    ],
  };
}

function namesApplication(details: unknown): details is ApplicationDetails {
  const application = isRecord(details) ? details.application : undefined;
  return (
    isRecord(application) &&
    [application.namespace, application.name].every(
      each => typeof each === 'string' && each !== '',
    )
  );
}

function malformedFinding(
  source: string,
  hub: string,
  count: number,
  first: unknown,
): Finding {
  return sourceFindings.answerMalformed(source, hub, count, {
    evidence: String(JSON.stringify(first)).slice(0, EXAMPLE_LENGTH),
  });
}
