import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outcomes } from './playCases';

const FILE = join(__dirname, 'recorded-v3.2.11.json');

/** What Argo CD v3.2.11's own ApplicationSet controller made of the cases. */
export function recordedOutcomes(): Outcomes {
  return JSON.parse(readFileSync(FILE, 'utf8')).outcomes;
}

/** Keeps what Argo CD's controller made of the cases now. */
export function record(outcomes: Outcomes): void {
  const failed = Object.values(outcomes).find(
    outcome => typeof outcome === 'string',
  );
  if (failed) {
    throw new Error(`Nothing is recorded, since one case failed: ${failed}`);
  }
  const producer = 'argocd-applicationset-controller v3.2.11';
  writeFileSync(FILE, `${JSON.stringify({ producer, outcomes })}\n`);
}
