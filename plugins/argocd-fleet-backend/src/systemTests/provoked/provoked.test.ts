import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { IN_LONG_RUN } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import { shownText } from '../../model/text';
import type { Failure } from './__testUtils__/failure';
import { FAILURES } from './__testUtils__/failures';
import { FAULTS } from './__testUtils__/faults';
import {
  startProvokedFleet,
  type ProvokedFleet,
} from './__testUtils__/provokedFleet';
import {
  messagesOf,
  writeRecording,
  type RecordedText,
} from './__testUtils__/recording';

const ARGOCD = process.env.ARGOCD_FLEET_ARGOCD_BINARY;
const REDIS = process.env.ARGOCD_FLEET_REDIS;
const TOOLS = process.env.ARGOCD_FLEET_RENDERING_TOOLS;
const CLUSTER = process.env.ARGOCD_FLEET_TEST_CLUSTER_KUBECONFIG;
/** Whether to record the messages, which `npm test` recognises. */
const RECORDS = process.env.ARGOCD_FLEET_RECORD_FAILURES === 'true';

const failures = FAILURES.filter(({ always }) => IN_LONG_RUN || always);
const faults = FAULTS.filter(({ always }) => IN_LONG_RUN || always);

/** Argo CD compares every few seconds, and retries a sync first. */
const LIMIT_MS = 90_000;

jest.setTimeout(300_000);

interface Outcome {
  readonly finding?: Finding;
  /** What was there instead. */
  readonly reason?: string;
}

// Skipped without a managed cluster, which only `npm run test:real-hub` has: in `npm test` the recorded messages stand
// in for it (model/findings/errorRecognition.test).
(ARGOCD && REDIS && CLUSTER && (TOOLS || !IN_LONG_RUN)
  ? describe
  : describe.skip)(
  "with Argo CD's own controllers on a managed cluster (`npm run test:real-hub`)",
  () => {
    let fleet: ProvokedFleet | undefined;
    const recorded: RecordedText[] = [];

    async function start(failing: readonly Failure[]) {
      fleet = await startProvokedFleet({
        argocd: ARGOCD!,
        redis: REDIS!,
        tools: TOOLS,
        clusterKubeconfigPath: CLUSTER!,
        failures: failing,
      });
    }

    async function stop() {
      await fleet?.stop();
      fleet = undefined;
    }

    afterAll(() => {
      if (RECORDS) {
        writeRecording(recorded);
      }
    });

    async function outcomeOf(
      failure: Pick<Failure, 'name' | 'names' | 'code'>,
    ): Promise<Outcome> {
      const { name, code } = failure;
      let findings: readonly Finding[] = [];
      try {
        await fleet!.gone(name);
        const finding = await waitFor(
          async () => {
            findings = await fleet!.findings(name);
            return findings.find(each => each.code === code);
          },
          LIMIT_MS,
          500,
        );
        await record(failure, finding);
        return { finding };
      } catch (error) {
        const status = (await fleet!.application(name))?.status;
        return {
          reason: JSON.stringify({ findings, status, error: `${error}` }),
        };
      }
    }

    async function record(
      { name, names }: { readonly name: string; readonly names?: string },
      { code, evidence }: Finding,
    ) {
      const messages = messagesOf(await fleet!.application(name));
      const text = messages.find(
        ({ message }) => shownText(message) === evidence,
      );
      if (text) {
        recorded.push({ name, code, names, ...text });
      }
    }

    /** Title and message of the finding; throws what was there instead. */
    function textOf({ finding, reason }: Outcome): string {
      expect(reason).toBeUndefined();
      return `${finding!.title}\n${finding!.message}`;
    }

    describe('an Application that fails', () => {
      let outcomes: ReadonlyMap<string, Outcome>;

      beforeAll(async () => {
        await start(failures);
        outcomes = new Map(
          await Promise.all(
            failures.map(
              async failure =>
                [failure.name, await outcomeOf(failure)] as const,
            ),
          ),
        );
      });

      afterAll(stop);

      test.each(failures.map(failure => [failure.name, failure.code, failure]))(
        '%s: %s',
        (name, _, { names = '' }) => {
          expect(textOf(outcomes.get(name)!)).toContain(names);
        },
      );
    });

    describe('every Application of a cluster, and the cluster if it is its fault,', () => {
      beforeAll(() =>
        start(
          FAILURES.filter(({ name }) =>
            FAULTS.some(({ application }) => application === name),
          ),
        ),
      );

      afterAll(stop);

      test.each(faults.map(fault => [fault.name, fault.code, fault]))(
        '%s: %s',
        async (_, code, { application, names = '', ofCluster, ...fault }) => {
          const own = FAILURES.find(({ name }) => name === application)!;
          expect(await outcomeOf(own)).toMatchObject({
            finding: { code: own.code },
          });
          try {
            await fault.provoke(fleet!);
            const outcome = await outcomeOf({ name: application, names, code });
            expect(textOf(outcome)).toContain(names);
            const isOfCluster = async () =>
              (await fleet!.clusterFindings(application)).some(
                finding => finding.code === code,
              );
            if (ofCluster) {
              // From the second Application on.
              await waitFor(isOfCluster, LIMIT_MS, 500);
            }
            expect(await isOfCluster()).toBe(ofCluster);
          } finally {
            await fault.mend(fleet!);
          }
        },
      );
    });
  },
);
