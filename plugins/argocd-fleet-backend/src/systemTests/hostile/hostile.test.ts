import { AGENT_CASES } from './__testUtils__/agentCases';
import { DECISION_CASES } from './__testUtils__/decisionCases';
import { DIRECT_CASES } from './__testUtils__/directCases';
import { PORTAL_CASES } from './__testUtils__/portalCases';
import { SECRET_CASES } from './__testUtils__/secretCases';
import { TENANT_CASES } from './__testUtils__/tenantCases';
import { startStage, type Stage } from './__testUtils__/stage';
import type { VictimsView } from './__testUtils__/victimsView';

jest.setTimeout(90_000);

const CASES = [
  ...DIRECT_CASES,
  ...TENANT_CASES,
  ...DECISION_CASES,
  ...AGENT_CASES,
  ...SECRET_CASES,
  ...PORTAL_CASES,
];

describe('on a hub with tenants, clusters and users that attack each other', () => {
  let stage: Stage;
  /** What the victim saw before the first case, and must see after each; not known after a case that changed it. */
  let unchanged: VictimsView | undefined;

  beforeAll(async () => {
    stage = await startStage();
  });

  afterAll(() => stage?.stop());

  afterEach(() => stage.cleanUp());

  it.each(
    CASES.map(it => [`${it.attacker}: ${it.kind}: ${it.title}`, it] as const),
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
    },
  );
});
