import { startEmbeddedHub } from 'embedded-hub';
import { parseScenario, startSimulatedFleet } from 'simulated-fleet';
import { ORACLE_CASES } from './oracleCase';
import { readRecording } from './recording';
import { Outcomes } from './runCases';
import { runCasesByFixture } from './runCasesByFixture';

const TIMEOUT_MS = 600_000;

describe("the simulated fleet generates what Argo CD v3.2.11's own ApplicationSet controller generated", () => {
  const recorded = readRecording();
  let outcomes: Outcomes;

  beforeAll(async () => {
    const hub = await startEmbeddedHub({ requestLog: false });
    try {
      outcomes = await runCasesByFixture(
        hub.kubeconfig(),
        ORACLE_CASES,
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
  }, TIMEOUT_MS);

  test.each(ORACLE_CASES.map(({ name, story }) => [name, story]))(
    '%s: %s',
    name => {
      expect(outcomes[name]).toEqual(recorded[name]);
    },
  );

  test('the recording has exactly the cases that exist', () => {
    expect(Object.keys(recorded).sort()).toEqual(
      ORACLE_CASES.map(({ name }) => name).sort(),
    );
  });
});
