import { objectKey, type HubError } from '../kubernetes/client';
import { propagatingDeployment } from '../model/delivery';
import { findings } from '../model/findings';
import type { FleetCache } from './indexes';
import type { HubObject } from './resources';
import type { Deployment, Finding } from 'backstage-plugin-argocd-fleet-common';

/** Whether another controller does our work on a hub, so that two would fight over each ManifestWork, or report. */
export interface RivalWriter {
  /** Waits until it is known whether RHACM is there, or that it cannot be known. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Why propagation must only observe now; undefined while it may write. */
  active(): Finding | undefined;
  /** Why aggregation must only observe now: RHACM writes its reports too, as long as it propagates. */
  reports(): Finding | undefined;
  /** What is to be told of it all to propagation. */
  findings(): readonly Finding[];
  /** To be told of each work that was put right, as it was before; also where that was only withheld. */
  hasPutRight(work: HubObject<'works'>): void;
}

/** A writer that undoes what we write is one that does it again: a person changes something once. */
const ROUNDS = 2;

/** Milliseconds after which what was written counts as another quarrel, and a rival that was not heard of again as gone. */
const QUIET_MS = 10 * 60 * 1000;

interface Quarrel {
  readonly namespace: string;
  readonly name: string;
  readonly manager: string;
  readonly rounds: number;
  /** When the other writer last wrote, RFC 3339. */
  readonly at: string;
}

/** Creates the watch over one hub. */
export function createRivalWriter(options: {
  readonly cache: FleetCache;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}): RivalWriter {
  const { cache, now = Date.now } = options;
  const quarrels = new Map<string, Quarrel>();

  /** Where what we write does not last. */
  function lost(): Quarrel | undefined {
    if (quarrels.size === 0) {
      return undefined;
    }
    const since = now() - QUIET_MS;
    for (const [key, quarrel] of quarrels) {
      if (Date.parse(quarrel.at) < since) {
        quarrels.delete(key);
      }
    }
    return [...quarrels.values()].find(({ rounds }) => rounds >= ROUNDS);
  }

  let read: { readonly found: Deployment | undefined } | undefined;
  cache.onChange(({ resource }) => {
    if (
      resource === 'integrationDeployments' ||
      resource === 'integrationSwitches'
    ) {
      read = undefined;
    }
  });

  /** Asked for each key, and the switch is a text to be parsed. */
  function rhacm(): Deployment | undefined {
    read ??= {
      found: propagatingDeployment(
        [...cache.integrationDeployments.list()],
        [...cache.integrationSwitches.list()],
      ),
    };
    return read.found;
  }

  let unreadable: HubError | undefined;

  function active(): Finding | undefined {
    const deployment = rhacm();
    if (deployment) {
      return findings.rhacmPropagates(
        cache.hub,
        deployment.metadata.namespace ?? '',
        deployment.metadata.name,
      );
    }
    const quarrel = lost();
    return (
      quarrel &&
      findings.worksOverwritten(
        cache.hub,
        quarrel.namespace,
        quarrel.name,
        quarrel.manager,
      )
    );
  }

  return {
    async prepare(signal) {
      const outcome = await cache.whenFollowed(
        ['integrationDeployments', 'integrationSwitches'],
        '',
        signal,
      );
      unreadable = outcome?.error;
    },
    active,
    reports() {
      const deployment = rhacm();
      return (
        deployment &&
        findings.rhacmReports(
          cache.hub,
          deployment.metadata.namespace ?? '',
          deployment.metadata.name,
        )
      );
    },
    findings() {
      const found = active();
      if (found) {
        return [found];
      }
      return unreadable?.kind === 'forbidden'
        ? [findings.rhacmUnknown(cache.hub, { evidence: unreadable.message })]
        : [];
    },
    hasPutRight(work) {
      const { specWriter } = work;
      const key = objectKey(work.metadata);
      const before = quarrels.get(key);
      if (!specWriter || before?.at === specWriter.at) {
        return;
      }
      const { namespace = '', name } = work.metadata;
      const again = before?.manager === specWriter.manager;
      quarrels.set(key, {
        namespace,
        name,
        ...specWriter,
        rounds: again ? before.rounds + 1 : 1,
      });
    },
  };
}
