import {
  COMPONENT_ANNOTATIONS,
  type ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from './__testUtils__/emptyCache';
import { NAMESPACE, pullApplicationSet } from './__testUtils__/objects';
import { createLinkOnlyReadersCheck } from './linkOnlyReaders';

it('counts the ApplicationSets that only links give readers', async () => {
  const cache = emptyCache();
  const recorded = pullApplicationSet('recorded');
  for (const set of [
    pullApplicationSet('linked'),
    pullApplicationSet('unlinked'),
    {
      ...recorded,
      metadata: {
        ...recorded.metadata,
        annotations: { [COMPONENT_ANNOTATIONS.owner]: 'team-a' },
      },
    },
  ]) {
    cache.applyWriteResult('applicationSets', set as ArgoApplicationSet);
  }
  let known = false;
  let changes = 0;
  const { findings, task } = createLinkOnlyReadersCheck({
    hubs: [{ name: 'hub', cache }],
    linkedEntities: {
      ownersOf({ name }) {
        const owners = name === 'unlinked' ? [] : ['group:default/team-b'];
        return known ? owners : undefined;
      },
    },
    onChange() {
      changes += 1;
    },
  });
  const run = () => task.fn(new AbortController().signal);
  await run();
  expect(findings()).toEqual([]);
  known = true;
  await run();
  expect(findings()).toMatchObject([
    {
      code: 'AFC-442',
      severity: 'info',
      title: 'One ApplicationSet has readers by links only',
      evidence: `hub: ${NAMESPACE}/linked`,
    },
  ]);
  expect(changes).toBe(1);
});
