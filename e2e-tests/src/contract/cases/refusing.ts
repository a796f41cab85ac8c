import { DeclareCase } from '../contractCase';
import { CONFIG_MAPS, HubUnderTest, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../objects';
import { expectRefusal, Refusal } from '../refusal';
import { REFUSED_CONTENTS } from './refusedContents';
import { REFUSED_METADATA } from './refusedMetadata';
import { REFUSED_PATCHES } from './refusedPatches';
import { REFUSED_READS } from './refusedReads';
import { REFUSED_WRITES } from './refusedWrites';

const ALL: readonly Refusal[] = [
  ...REFUSED_READS,
  ...REFUSED_WRITES,
  ...REFUSED_PATCHES,
  ...REFUSED_METADATA,
  ...REFUSED_CONTENTS,
];

export function refusalCases(contractCase: DeclareCase, hub: HubUnderTest) {
  // What the refused requests are about; none of them changes it.
  beforeAll(async () => {
    await hub.create(CONFIG_MAPS, {
      ...configMap('existing'),
      data: { k: 'v' },
    });
    await hub.create(WIDGETS, widget({}, { name: 'existing' }));
  });

  for (const refusal of ALL) {
    contractCase(refusal.title, async () => {
      expectRefusal(await hub.call(...refusal.request), refusal);
    });
  }

  contractCase('after all that, nothing has changed', async () => {
    const { body } = await hub.get(`${CONFIG_MAPS}/existing`);
    expect(body.data).toEqual({ k: 'v' });
    for (const path of [`${CONFIG_MAPS}/a`, `${WIDGETS}/w`]) {
      expect((await hub.get(path)).status).toBe(404);
    }
  });
}
