import { IN_LONG_RUN } from '../../__testUtils__/randomCases';
import { realServer } from '../../__testUtils__/realServer';
import {
  startTurnProfile,
  type TurnProfile,
} from '../../__testUtils__/turnProfile';
import { AGENT_CASES } from './__testUtils__/agentCases';
import { CATALOG_CASES } from './__testUtils__/catalogCases';
import {
  COMPANION_CASES,
  WITH_COMPANIONS,
} from './__testUtils__/companionCases';
import { DEPTH_CASES } from './__testUtils__/depthCases';
import { DECOY_CASES } from './__testUtils__/decoyCases';
import { maxTurn } from './__testUtils__/cpuTurns';
import { DECISION_CASES } from './__testUtils__/decisionCases';
import { DIRECT_CASES } from './__testUtils__/directCases';
import type { HostileCase } from './__testUtils__/hostileCase';
import {
  LARGE_SPEC_CASES,
  OVERLOAD_CASES,
} from './__testUtils__/overloadCases';
import { PORTAL_CASES, SHORT_STREAM_CASES } from './__testUtils__/portalCases';
import { SECRET_CASES } from './__testUtils__/secretCases';
import { TENANT_CASES } from './__testUtils__/tenantCases';
import {
  startStage,
  type Stage,
  type StageOptions,
} from './__testUtils__/stage';
import type { VictimsView } from './__testUtils__/victimsView';

// A stage is a hub, a backend, and a fleet with its catalog.
jest.setTimeout(180_000);

/** On a real hub, only what it decides. */
const isAttempted = ({ decidedByHub }: HostileCase) =>
  decidedByHub || IN_LONG_RUN || !realServer();

/** Attempts each case on one stage, and compares what the victim sees before and after. */
function nothingChanges(
  cases: readonly HostileCase[],
  options: StageOptions = {},
) {
  let stage: Stage;
  let turns: TurnProfile;
  /** What the victim saw before the first case, and must see after each; not known after a case that changed it. */
  let unchanged: VictimsView | undefined;

  beforeAll(async () => {
    stage = await startStage(options);
    turns = await startTurnProfile();
  });

  afterAll(async () => {
    turns?.stop();
    await stage?.stop();
  });

  afterEach(() => stage.cleanUp());

  it.each(
    cases.map(it => [`${it.attacker}: ${it.kind}: ${it.title}`, it] as const),
  )(
    'nothing changes for the victim: %s',
    async (_, { attack, immediate, afterwards, writesVictims }) => {
      const before = unchanged ?? (await stage.victimSees());
      unchanged = undefined;
      await attack(stage);
      if (!immediate) {
        await stage.settle();
      }
      expect(await stage.victimSees()).toEqual(before);
      await afterwards?.(stage);
      unchanged = writesVictims ? undefined : before;
      const turn = await turns.longestOver(maxTurn());
      if (turn) {
        throw new Error(
          `The backend kept the event loop busy for ${Math.round(turn.ms.own)} ms: ${turn.functions.join(', ')}`,
        );
      }
    },
  );
}

describe('on a hub with tenants, clusters and users that attack each other', () => {
  const cases = [
    ...DIRECT_CASES,
    ...TENANT_CASES,
    ...DEPTH_CASES,
    ...DECISION_CASES,
    ...DECOY_CASES,
    ...OVERLOAD_CASES,
    ...CATALOG_CASES,
    ...AGENT_CASES,
    ...LARGE_SPEC_CASES,
    ...PORTAL_CASES,
  ];
  nothingChanges(cases.filter(isAttempted));
});

const FURTHER_CASES = [
  ...COMPANION_CASES,
  ...SHORT_STREAM_CASES,
  ...SECRET_CASES,
].filter(isAttempted);

if (FURTHER_CASES.length > 0) {
  describe('on such a hub, where namespaces and AppProjects come along, beside broken hubs, with short event streams', () => {
    nothingChanges(FURTHER_CASES, {
      ...WITH_COMPANIONS,
      // Long enough for a change to be heard in one of them, also where the machine has much to do.
      streamLifetimeMs: 3_000,
      withBrokenHubs: true,
    });
  });
}
