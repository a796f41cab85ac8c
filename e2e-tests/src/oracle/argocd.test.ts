import { readFileSync } from 'node:fs';
import { ARGOCD_BINARY, REAL_HUB_KUBECONFIG } from '../environment';
import { startArgoCdController } from './argocdController';
import { ORACLE_CASES } from './oracleCase';
import { readRecording, writeRecording } from './recording';
import { Outcomes } from './runCases';
import { runCasesByFixture } from './runCasesByFixture';

/** Whether to replace the recording instead of comparing with it. */
const RECORDS = process.env.ARGOCD_FLEET_RECORD_ORACLE === 'true';

// All cases run at once in `beforeAll`: a rolling sync of Argo CD's controller takes minutes.
jest.setTimeout(600_000);

// Skipped without Argo CD's controller and a real hub, which only `npm run test:real-hub` has: in `npm test` the
// recording stands in for them.
(ARGOCD_BINARY && REAL_HUB_KUBECONFIG ? describe : describe.skip)(
  "Argo CD's own ApplicationSet controller (`npm run test:real-hub`) generates what was recorded",
  () => {
    let outcomes: Outcomes;

    beforeAll(async () => {
      outcomes = await runCasesByFixture(
        readFileSync(REAL_HUB_KUBECONFIG!, 'utf8'),
        ORACLE_CASES,
        (kubeconfig, namespace) =>
          startArgoCdController({
            binary: ARGOCD_BINARY!,
            kubeconfig,
            namespace,
          }),
        200,
      );
      if (RECORDS) {
        writeRecording(outcomes);
      }
    });

    test.each(ORACLE_CASES.map(({ name, story }) => [name, story]))(
      '%s: %s',
      name => {
        expect(outcomes[name]).toEqual(readRecording()[name]);
      },
    );
  },
);
