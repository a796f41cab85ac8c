import { readFileSync, writeFileSync } from 'node:fs';
import { Outcomes } from './playCases';

/** What Argo CD's own ApplicationSet controller made of the cases, as a recording says. */
export function recordedOutcomes(file: string): Outcomes {
  return JSON.parse(readFileSync(file, 'utf8')).outcomes;
}

/** Keeps what Argo CD's controller made of the cases now; for the repository `prettier --write` it. */
export function record(file: string, outcomes: Outcomes): void {
  const failed = Object.values(outcomes).find(
    outcome => typeof outcome === 'string',
  );
  if (failed) {
    throw new Error(`Nothing is recorded, since one case failed: ${failed}`);
  }
  const producer = 'argocd-applicationset-controller v3.2.11';
  writeFileSync(file, `${JSON.stringify({ producer, outcomes })}\n`);
}
