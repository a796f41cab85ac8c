import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../../__testUtils__/waitFor';
import { pick, type Random } from './churn';

/** Latest time of a kill after the first request, in milliseconds: an idle process makes no requests to count. */
const LATEST_MS = 1_500;

/** The verbs of the requests of which one is the moment, any by default, and up to which one. */
interface Moments {
  readonly verbs?: readonly string[];
  readonly most: number;
}

const MOMENTS: readonly Moments[] = [
  { most: 60 },
  { verbs: ['create', 'patch', 'delete'], most: 15 },
  { verbs: ['delete'], most: 4 },
];

/** Chooses when to kill: at a request, at a write, at a deletion or at any time. */
export function chooseKill(
  hub: EmbeddedHub,
  random: Random,
): () => Promise<void> {
  const isAtAnyTime = random() < 0.25;
  const { verbs, most } = pick(random, MOMENTS);
  const fraction = random();
  const from = hub.requests.length;
  const count = (wanted: readonly string[] | undefined) =>
    hub.requests
      .slice(from)
      .filter(
        ({ userAgent, verb }) =>
          userAgent === 'argocd-fleet' && (!wanted || wanted.includes(verb)),
      ).length;
  return async () => {
    await waitFor(() => count(undefined) > 0);
    if (isAtAnyTime) {
      await pause(fraction * LATEST_MS);
      return;
    }
    const deadline = performance.now() + LATEST_MS;
    while (count(verbs) <= fraction * most && performance.now() < deadline) {
      await pause(1);
    }
  };
}
