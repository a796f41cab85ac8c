import {
  isNamespaceName,
  isObjectName,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSourceAnswer,
  ResourceSourceRequest,
} from 'backstage-plugin-argocd-fleet-node';
import { hasLegalNames } from '../model/feedback';
import { sourceFindings } from '../model/findings';
import { isRecord } from '../model/json';
import { mapTexts, shownText } from '../model/text';

/** Characters of the first malformed item in a finding. */
const EXAMPLE_LENGTH = 300;

/**
 * Validates the answer of a source, which may be third-party code, and keeps its texts as they are shown. Details that do not name their Application are left
 * out and counted. They could belong to any Application, so every cluster counts as incomplete and earlier answers are
 * kept. Resources with names that Kubernetes does not allow are left out and counted as not listed, and a time in the
 * future counts as that of the answer.
 * @param receivedAt - milliseconds since the epoch
 * @throws Error where the answer has no list of details
 */
export function readAnswer(
  source: string,
  { hub, applications }: ResourceSourceRequest,
  answer: unknown,
  receivedAt: number,
): ResourceSourceAnswer {
  const all: unknown = isRecord(answer) ? answer.details : undefined;
  if (!isRecord(answer) || !Array.isArray(all)) {
    throw new Error('it answered without a list of details');
  }
  const read = mapTexts(answer, shownText) as unknown as ResourceSourceAnswer;
  const details = read.details
    .filter(namesApplication)
    .map(each => checked(each, receivedAt));
  if (details.length === all.length) {
    const unchanged = details.every((each, i) => each === read.details[i]);
    return unchanged ? read : { ...read, details };
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
    typeof application.namespace === 'string' &&
    typeof application.name === 'string' &&
    isNamespaceName(application.namespace) &&
    isObjectName(application.name)
  );
}

function checked(
  details: ApplicationDetails,
  receivedAt: number,
): ApplicationDetails {
  const { resources, resourcesOmitted = 0, observedAt } = details;
  const legal = resources?.filter(hasLegalNames);
  const leftOut = (resources?.length ?? 0) - (legal?.length ?? 0);
  const isAhead =
    observedAt !== undefined && Date.parse(observedAt) > receivedAt;
  if (leftOut === 0 && !isAhead) {
    return details;
  }
  return {
    ...details,
    ...(leftOut > 0 && {
      resources: legal,
      resourcesOmitted: resourcesOmitted + leftOut,
    }),
    ...(isAhead && { observedAt: new Date(receivedAt).toISOString() }),
  };
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
