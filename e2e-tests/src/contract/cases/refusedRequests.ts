import { DeclareCase } from '../contractCase';
import { CONFIG_MAPS, HubUnderTest, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../testObjects';
import { expectError, Refusal } from '../refusal';
import { REFUSED_APPLIES } from '../refusals/applies';
import { REFUSED_BODIES } from '../refusals/bodies';
import { REFUSED_BUILT_IN_CONTENTS } from '../refusals/builtInContents';
import { REFUSED_CUSTOM_OBJECTS } from '../refusals/customObjects';
import { REFUSED_DELETIONS } from '../refusals/deletions';
import { REFUSED_METADATA } from '../refusals/metadata';
import { REFUSED_NAMES } from '../refusals/names';
import { REFUSED_PATCHES } from '../refusals/patches';
import { REFUSED_READS } from '../refusals/reads';
import { REFUSED_WRITES } from '../refusals/writes';

const REFUSALS: readonly Refusal[] = [
  ...REFUSED_READS,
  ...REFUSED_WRITES,
  ...REFUSED_BODIES,
  ...REFUSED_DELETIONS,
  ...REFUSED_PATCHES,
  ...REFUSED_APPLIES,
  ...REFUSED_NAMES,
  ...REFUSED_METADATA,
  ...REFUSED_BUILT_IN_CONTENTS,
  ...REFUSED_CUSTOM_OBJECTS,
];

export function refusedRequestCases(
  contractCase: DeclareCase,
  hub: HubUnderTest,
) {
  // The objects that the refused requests address; no request changes them.
  beforeAll(async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('existing'),
      data: { k: 'v' },
    });
    await hub.create(WIDGETS, widget({}, { name: 'existing' }));
  });

  for (const { title, request, expected } of REFUSALS) {
    contractCase(title, async () => {
      expectError(await hub.call(...request), expected);
    });
  }

  contractCase('leave all objects unchanged', async () => {
    const { body } = await hub.get(`${CONFIG_MAPS}/existing`);
    expect(body.data).toEqual({ k: 'v' });
    for (const path of [`${CONFIG_MAPS}/a`, `${WIDGETS}/w`]) {
      expect((await hub.get(path)).status).toBe(404);
    }
  });
}
