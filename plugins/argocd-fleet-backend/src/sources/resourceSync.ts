import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  ClusterApplication,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSource,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import type { FleetCache } from '../controllers';
import { errorMessage, objectKey } from '../hub';
import { hubApplicationOf, owningApplicationSet } from '../model';
import { payloadNamespace } from '../model/payloadApplication';
import { mergeDetails } from './mergeDetails';

/** What the registered sources told, for the API to show. */
export interface ResourceSync {
  /** Asks every source about every hub, each on its own. Never throws: what fails is a finding, and the last good answer stays. */
  collect(signal: AbortSignal): Promise<void>;
  /** A row with what the sources know better. */
  enrich(hub: string, row: ClusterApplication): ClusterApplication;
  findings(hub: string): readonly Finding[];
  /** Calls back with a hub and the keys of those of its Applications about which something new is known. */
  onChange(listener: ResourceListener): () => void;
}

/** Hears of what is new. */
export type ResourceListener = (
  hub: string,
  applications: readonly string[],
) => void;

interface Answer {
  readonly details: ReadonlyMap<string, ApplicationDetails>;
  readonly finding?: Finding;
}

/** Creates the sync of some sources over some hubs. */
export function createResourceSync(options: {
  readonly sources: readonly ResourceSource[];
  readonly caches: readonly FleetCache[];
  readonly logger: LoggerService;
}): ResourceSync {
  const { sources, caches, logger } = options;
  const listeners = new Set<ResourceListener>();
  /** By hub, then by source. */
  const answers = new Map<string, Map<string, Answer>>(
    caches.map(({ hub }) => [hub, new Map()]),
  );

  function tell(hub: string, applications: readonly string[]) {
    listeners.forEach(listener => listener(hub, applications));
  }

  async function ask(
    source: ResourceSource,
    cache: FleetCache,
    signal: AbortSignal,
  ) {
    const { hub } = cache;
    const applications = pulledApplications(cache);
    if (applications.length === 0) {
      return;
    }
    const ofHub = answers.get(hub)!;
    const last = ofHub.get(source.id);
    try {
      const details = await source.collect({ hub, applications, signal });
      const answer = new Map(
        details.map(entry => [objectKey(entry.application), entry]),
      );
      ofHub.set(source.id, { details: answer });
      const changed = [...answer].filter(
        ([key, { observedAt }]) =>
          last?.details.get(key)?.observedAt !== observedAt,
      );
      if (changed.length > 0 || last?.finding) {
        tell(
          hub,
          changed.map(([key]) => key),
        );
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const evidence = errorMessage(error);
      logger.warn(`Resource source ${source.id} failed: ${evidence}`, { hub });
      ofHub.set(source.id, {
        details: last?.details ?? new Map(),
        finding: failed(source.id, hub, evidence),
      });
      if (last?.finding?.evidence !== evidence) {
        tell(hub, []);
      }
    }
  }

  return {
    async collect(signal) {
      await Promise.all(
        sources.flatMap(source =>
          caches.map(cache => ask(source, cache, signal)),
        ),
      );
    },
    enrich(hub, row) {
      const key = objectKey(row.application);
      return [...(answers.get(hub)?.values() ?? [])]
        .flatMap(({ details }) => details.get(key) ?? [])
        .sort((a, b) => Date.parse(a.observedAt) - Date.parse(b.observedAt))
        .reduce(mergeDetails, row);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    findings: hub =>
      [...(answers.get(hub)?.values() ?? [])].flatMap(
        ({ finding }) => finding ?? [],
      ),
  };
}

/** Applications that are on their way to a cluster: there is something to know about them there. */
function pulledApplications(cache: FleetCache): ResourceSourceApplication[] {
  const found: ResourceSourceApplication[] = [];
  for (const work of cache.works.list()) {
    const name = hubApplicationOf(work);
    const application = name && cache.applications.get(objectKey(name));
    if (name && application) {
      found.push({
        application: name,
        onCluster: {
          namespace: payloadNamespace(application),
          name: name.name,
        },
        cluster: work.metadata.namespace ?? '',
        applicationSet: owningApplicationSet(application),
      });
    }
  }
  return found;
}

function failed(source: string, hub: string, evidence: string): Finding {
  return {
    code: 'AFC-430',
    severity: 'warning',
    title: `The resource source ${source} failed`,
    message: `${source} gave no answer about hub "${hub}". Its last good answer is shown until it does.`,
    evidence,
  };
}
