import type {
  ApplicationDetails,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import { createYield } from '../async';
import type { StoredAnswer } from '../database';
import { objectKey } from '../kubernetes/client';
import { fingerprintOf, type CachedAnswer } from './answerCache';
import type { RoundOutcome } from './lateAnswers';

/**
 * Compares a round's answer with the cached one: what is new or changed, what is gone, and what is kept because the
 * source could not say.
 * @param applications - those that the source was queried about
 * @param incomplete - clusters that the answer covers only in part
 */
export async function findAnswerChanges(
  cached: ReadonlyMap<string, CachedAnswer>,
  applications: readonly ResourceSourceApplication[],
  details: readonly ApplicationDetails[],
  incomplete: ReadonlySet<string>,
  startedAt: string,
): Promise<RoundOutcome & { readonly answers: StoredAnswer[] }> {
  const yieldSometimes = createYield();
  const clusterOf = new Map<string, string>();
  for (const { application, cluster } of applications) {
    await yieldSometimes();
    clusterOf.set(objectKey(application), cluster);
  }
  const answeredApplications = new Set<string>();
  const answered = new Set<string>();
  const answers: StoredAnswer[] = [];
  for (const each of details) {
    await yieldSometimes();
    const application = objectKey(each.application);
    const cluster = clusterOf.get(application);
    const before = cached.get(application);
    const text = JSON.stringify(each);
    if (cluster !== undefined && !answeredApplications.has(application)) {
      answeredApplications.add(application);
      answered.add(cluster);
      if (
        before?.cluster !== cluster ||
        before.fingerprint !== fingerprintOf(text)
      ) {
        answers.push({
          application,
          cluster,
          details: text,
          ...(before?.cluster === cluster && { changedAt: startedAt }),
        });
      }
    }
  }
  const kept: [application: string, cluster: string][] = [];
  for (const [application, { cluster }] of cached) {
    await yieldSometimes();
    if (answeredApplications.has(application)) {
      continue;
    }
    if (clusterOf.get(application) === cluster && incomplete.has(cluster)) {
      kept.push([application, cluster]);
    } else {
      answers.push({ application, cluster });
    }
  }
  return { answers, startedAt, incomplete, answered, kept };
}
