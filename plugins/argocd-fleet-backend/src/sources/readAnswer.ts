import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSourceAnswer,
  ResourceSourceRequest,
} from 'backstage-plugin-argocd-fleet-node';
import { sourceFindings } from '../model/findings';
import { isRecord } from '../model/json';

/** Of what could not be read, so much is shown. */
const EXAMPLE_LENGTH = 300;

/**
 * Takes from the answer of a source, which may be anybody's code, what can be used. Details that do not say of which Application they are
 * are left out alone and counted. They may be of any, so what was said before of those that are not told stays.
 * @throws Error for what is no answer at all
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
  const read = answer as unknown as ResourceSourceAnswer;
  const details = all.filter(namesApplication);
  if (details.length === all.length) {
    return read;
  }
  return {
    details,
    incomplete: applications.map(({ cluster }) => cluster),
    findings: [
      ...(read.findings ?? []),
      leftOut(
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

function leftOut(
  source: string,
  hub: string,
  count: number,
  first: unknown,
): Finding {
  return sourceFindings.answerMalformed(source, hub, count, {
    evidence: String(JSON.stringify(first)).slice(0, EXAMPLE_LENGTH),
  });
}
