import { join } from 'node:path';
import { startEmbeddedHub } from 'embedded-hub';
import { parseScenario, startSimulatedFleet } from 'simulated-fleet';
import { oracleCases } from './oracleCase';
import { Outcomes } from './playCases';
import { playWorlds } from './playWorlds';
import { recordedOutcomes } from './recording';

const PLAY_TIMEOUT_MS = 600_000;

const RECORDING = join(__dirname, 'recorded-v3.2.11.json');

const cases = oracleCases(join(__dirname, 'cases'));

describe("the simulated fleet generates what Argo CD v3.2.11's own ApplicationSet controller generated", () => {
  const recorded = recordedOutcomes(RECORDING);
  let outcomes: Outcomes;

  beforeAll(async () => {
    const hub = await startEmbeddedHub({ requestLog: false });
    try {
      outcomes = await playWorlds(
        hub.kubeconfig(),
        cases,
        async (kubeconfig, namespace) => {
          const scenario = parseScenario(
            `argocd: { namespace: ${namespace} }`,
            'an empty scenario',
          );
          const fleet = await startSimulatedFleet({
            kubeconfig,
            scenario,
            seed: false,
          });
          await fleet.ready;
          return fleet;
        },
      );
    } finally {
      await hub.stop();
    }
  }, PLAY_TIMEOUT_MS);

  test.each(cases.map(({ name, story }) => [name, story]))('%s: %s', name => {
    expect(outcomes[name]).toEqual(recorded[name]);
  });

  test('no case is missing from the recording, and none is left over', () => {
    expect(Object.keys(recorded).sort()).toEqual(
      cases.map(({ name }) => name).sort(),
    );
  });
});
