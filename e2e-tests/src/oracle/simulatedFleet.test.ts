import { startEmbeddedHub } from 'embedded-hub';
import { parseScenario, startSimulatedFleet } from 'simulated-fleet';
import { ORACLE_CASES } from './oracleCase';
import { readRecording } from './recording';
import { Outcomes } from './runCases';
import { runCasesByFixture } from './runCasesByFixture';

/** Its controller then collects changes for at most 50 ms before a write. */
const SPEED = 10;

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
            speed: SPEED,
          });
          await fleet.ready;
          return fleet;
        },
        50,
      );
    } finally {
      await hub.stop();
    }
  });

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
