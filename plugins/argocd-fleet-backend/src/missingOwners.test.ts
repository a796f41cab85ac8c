import {
  coreServices,
  createBackendModule,
  type SchedulerService,
} from '@backstage/backend-plugin-api';
import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import request from 'supertest';
import { startFleetBackend } from './__testUtils__/fleetBackend';
import { waitFor } from './__testUtils__/waitFor';
import { createMissingOwnersCheck } from './missingOwners';

const group = (name: string): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Group',
  metadata: { name },
});

const resource = (
  name: string,
  owner: string,
  type = 'argocd-applicationset',
): Entity => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Resource',
  metadata: { name },
  spec: { type, owner },
});

/** What a check finds in a catalog, and how often it reports a change. */
async function findIn(...catalogs: Entity[][]) {
  let changes = 0;
  let catalog = catalogServiceMock();
  const { findings, task } = createMissingOwnersCheck({
    auth: mockServices.auth(),
    catalog: {
      getEntityFacets: (...args) => catalog.getEntityFacets(...args),
      getEntitiesByRefs: (...args) => catalog.getEntitiesByRefs(...args),
    },
    onChange: () => {
      changes += 1;
    },
  });
  for (const entities of catalogs) {
    catalog = catalogServiceMock({ entities });
    await task.fn(new AbortController().signal);
  }
  return {
    changes,
    findings: findings().map(({ code, title, message }) => ({
      code,
      title,
      message: message.split(',')[0],
    })),
  };
}

describe('the check of owners', () => {
  it('finds none in an empty catalog', async () => {
    expect(await findIn([])).toEqual({ changes: 0, findings: [] });
  });

  it('finds the owners that the catalog does not have, and nothing of other resources', async () => {
    expect(
      await findIn([
        group('web'),
        resource('a', 'group:default/web'),
        resource('b', 'web'),
        resource('c', 'user:default/jane'),
        resource('d', 'platform'),
        resource('e', 'group:default/platform'),
        resource('f', 'nobody', 'database'),
      ]),
    ).toEqual({
      changes: 1,
      findings: [
        {
          code: 'AFC-441',
          title: 'Owner group:default/platform is not in the catalog',
          message: '2 ApplicationSets have the owner group:default/platform',
        },
        {
          code: 'AFC-441',
          title: 'Owner user:default/jane is not in the catalog',
          message: 'One ApplicationSet has the owner user:default/jane',
        },
      ],
    });
  });

  it('reports a change once, and that the owner is there now', async () => {
    const sets = [resource('a', 'platform')];
    expect((await findIn(sets, sets)).changes).toBe(1);
    expect(await findIn(sets, [...sets, group('platform')])).toEqual({
      changes: 2,
      findings: [],
    });
  });

  it('is in the answer of the API', async () => {
    let scheduler: SchedulerService | undefined;
    const backend = await startFleetBackend({
      entities: [resource('a', 'platform')],
      features: [
        createBackendModule({
          pluginId: 'argocd-fleet',
          moduleId: 'test',
          register: ({ registerInit }) =>
            registerInit({
              deps: { own: coreServices.scheduler },
              init: async ({ own }) => {
                scheduler = own;
              },
            }),
        }),
      ],
    });
    try {
      await scheduler!.triggerTask('missing-owners');
      const findings = await waitFor(async () => {
        const { body } = await request(backend.server).get(
          '/api/argocd-fleet/applicationsets',
        );
        return body.findings.length > 0 && body.findings;
      });
      expect(findings).toMatchObject([{ code: 'AFC-441' }]);
    } finally {
      await backend.stop();
    }
  });

  it('shows at most five', async () => {
    const { findings } = await findIn(
      Array.from({ length: 7 }, (_, index) =>
        resource(`set-${index}`, `team-${index}`),
      ),
    );
    expect(findings).toHaveLength(5);
  });
});
