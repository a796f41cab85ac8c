import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  ResourceSource,
  ResourceSourceAnswer,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import { raceWithAbort } from '../async';
import { errorMessage } from '../kubernetes/client';
import { sourceFindings } from '../model/findings';
import { readAnswer } from './readAnswer';

/** Metrics of one round of a source. */
export interface SourceRound {
  readonly source: string;
  readonly seconds: number;
  /** Applications for which the source returned details. */
  readonly applications: number;
  /** Codes of the findings that say why it returned no more. */
  readonly failures: readonly string[];
}

/**
 * Queries one source about a hub's Applications. A source that fails returns an empty, incomplete answer with a
 * finding, so that its earlier answers are kept.
 * @throws the signal's reason where it is aborted
 */
export async function querySource(
  source: ResourceSource,
  hub: string,
  applications: readonly ResourceSourceApplication[],
  signal: AbortSignal,
  options: {
    readonly logger: LoggerService;
    readonly onRound?: (round: SourceRound) => void;
  },
): Promise<ResourceSourceAnswer> {
  async function collect(): Promise<ResourceSourceAnswer> {
    try {
      const request = { hub, applications, signal };
      const collected = await raceWithAbort(source.collect(request), signal);
      return readAnswer(source.id, request, collected, Date.now());
    } catch (error) {
      signal.throwIfAborted();
      const evidence = errorMessage(error);
      options.logger.warn(`Resource source ${source.id} failed: ${evidence}`);
      return {
        details: [],
        incomplete: applications.map(({ cluster }) => cluster),
        findings: [sourceFindings.sourceFailed(source.id, hub, { evidence })],
      };
    }
  }

  if (applications.length === 0) {
    return { details: [] };
  }
  const startedAt = performance.now();
  const answer = await collect();
  options.onRound?.({
    source: source.id,
    seconds: (performance.now() - startedAt) / 1000,
    applications: answer.details.length,
    failures: (answer.findings ?? [])
      .filter(({ severity }) => severity !== 'info')
      .map(({ code }) => code),
  });
  return answer;
}
