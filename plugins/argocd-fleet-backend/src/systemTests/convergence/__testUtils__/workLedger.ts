import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import type { EmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../../__testUtils__/waitFor';
import { ownerOf } from './expectedWorks';

const WORKS = '/apis/work.open-cluster-management.io/v1/manifestworks';

/** Whether a work may be deleted, by its last state. */
type Condition = (last: ManifestWork) => boolean;

/**
 * A record of all works of a hub, by UID, and of what may be done with them: it compares each deletion with what was
 * allowed at that time. It knows only the hub's own events and what the test says, none of the code under test.
 */
export interface WorkLedger {
  /** Works that exist, of the Application `<namespace>/<name>`. */
  of(application: string): readonly ManifestWork[];
  all(): readonly ManifestWork[];
  /** Whether a work of the Application other than that one has been reported as applied. */
  hasSuccessor(work: ManifestWork): boolean;
  /** From now on these works may be deleted; not before the condition holds for their last state. */
  mayGo(works: readonly ManifestWork[], condition?: Condition): void;
  /** In the end these works must be gone. */
  mustGo(works: readonly ManifestWork[]): void;
  /** Works that must be gone and exist. */
  left(): readonly ManifestWork[];
  /** Deletions that were not allowed. An order that is carried out twice is one of them: later works have other UIDs. */
  errors(): readonly string[];
  /** The agents report that they have applied a work. */
  noteReport(work: ManifestWork): void;
  stop(): void;
}

/** Starts to watch the works of a hub. Resolves once the ledger has all that exist. */
export async function startWorkLedger(hub: EmbeddedHub): Promise<WorkLedger> {
  const works = new Map<string, ManifestWork>();
  const reported = new Map<string, ManifestWork>();
  const conditions = new Map<string, Condition>();
  const expected = new Set<string>();
  const wrong: string[] = [];
  const stop = new AbortController();

  function note(type: string, work: ManifestWork) {
    const { uid = '' } = work.metadata;
    if (type === 'DELETED') {
      works.delete(uid);
      if (!conditions.get(uid)?.(work)) {
        wrong.push(
          `${work.metadata.namespace}/${work.metadata.name} ${conditions.has(uid) ? 'too early' : 'wrongly'}: ${JSON.stringify(work.metadata.annotations)}`,
        );
      }
    } else {
      works.set(uid, work);
    }
  }

  async function watch(resourceVersion: string) {
    const response = await fetch(
      `${hub.url}${WORKS}?watch=true&resourceVersion=${resourceVersion}`,
      { signal: stop.signal, headers: { 'user-agent': 'ledger' } },
    );
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) {
        const { type, object } = JSON.parse(line);
        note(type, object);
      }
    }
  }

  const response = await fetch(`${hub.url}${WORKS}`);
  const { items, metadata } = (await response.json()) as {
    items: ManifestWork[];
    metadata: { resourceVersion: string };
  };
  items.forEach(work => note('ADDED', work));
  watch(metadata.resourceVersion)
    .catch(() => {})
    .finally(() => {
      if (!stop.signal.aborted) {
        wrong.push('Nobody knows: the watch of the ledger has ended');
      }
    });
  await waitFor(() =>
    hub.requests.some(({ userAgent }) => userAgent === 'ledger'),
  );

  return {
    of: application =>
      [...works.values()].filter(work => ownerOf(work) === application),
    all: () => [...works.values()],
    hasSuccessor: work =>
      [...reported].some(
        ([uid, each]) =>
          uid !== work.metadata.uid && ownerOf(each) === ownerOf(work),
      ),
    mayGo(some, condition = () => true) {
      some.forEach(({ metadata: { uid = '' } }) =>
        conditions.set(uid, condition),
      );
    },
    mustGo: some =>
      some.forEach(({ metadata: { uid = '' } }) => expected.add(uid)),
    left: () => [...expected].flatMap(uid => works.get(uid) ?? []),
    errors: () => wrong,
    noteReport: work => reported.set(work.metadata.uid ?? '', work),
    stop: () => stop.abort(),
  };
}
