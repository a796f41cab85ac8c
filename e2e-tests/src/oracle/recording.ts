import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outcomes } from './runCases';

const FILE = join(__dirname, 'recorded-v3.2.11.json');

/** The recorded outcomes of Argo CD's own ApplicationSet controller. */
export function readRecording(): Outcomes {
  return JSON.parse(readFileSync(FILE, 'utf8')).outcomes;
}

/** Replaces the recording; run `prettier --write` on it before the commit. */
export function writeRecording(outcomes: Outcomes): void {
  const failed = Object.values(outcomes).find(
    outcome => typeof outcome === 'string',
  );
  if (failed) {
    throw new Error(`Nothing is recorded, since one case failed: ${failed}`);
  }
  const producer = 'argocd-applicationset-controller v3.2.11';
  writeFileSync(FILE, `${JSON.stringify({ producer, outcomes })}\n`);
}
