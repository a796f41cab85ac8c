import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startArgoCdController } from './argocdController';
import { oracleCases } from './oracleCase';
import { Outcomes } from './playCases';
import { playWorlds } from './playWorlds';
import { record, recordedOutcomes } from './recording';

/** An `argocd` of v3.2.11. */
const BINARY = process.env.ARGOCD_FLEET_ARGOCD_BINARY;
/** Of a hub with the definitions of Argo CD and OCM, on which no ApplicationSet controller runs. */
const KUBECONFIG = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;
/** Writes the recording anew instead of comparing with the one that is there. */
const RECORDS = process.env.ARGOCD_FLEET_RECORD_ORACLE === 'true';

const PLAY_TIMEOUT_MS = 600_000;

const RECORDING = join(__dirname, 'recorded-v3.2.11.json');

const cases = oracleCases(join(__dirname, 'cases'));

// Both are built by `npm run test:real-hub`; elsewhere the recording stands for the controller, and this is skipped and counted.
(BINARY && KUBECONFIG ? describe : describe.skip)(
  "Argo CD's own ApplicationSet controller (of `npm run test:real-hub`) generates what was recorded",
  () => {
    let outcomes: Outcomes;

    beforeAll(async () => {
      outcomes = await playWorlds(
        readFileSync(KUBECONFIG!, 'utf8'),
        cases,
        (kubeconfig, namespace) =>
          startArgoCdController({ binary: BINARY!, kubeconfig, namespace }),
      );
      if (RECORDS) {
        record(RECORDING, outcomes);
      }
    }, PLAY_TIMEOUT_MS);

    test.each(cases.map(({ name, story }) => [name, story]))('%s: %s', name => {
      expect(outcomes[name]).toEqual(recordedOutcomes(RECORDING)[name]);
    });
  },
);
