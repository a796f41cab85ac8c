import { readFile } from 'node:fs/promises';
import {
  resolvePackagePath,
  type HttpAuthService,
  type PermissionsService,
} from '@backstage/backend-plugin-api';
import { createValidatedOpenApiRouter } from '@backstage/backend-openapi-utils';
import { stringifyEntityRef } from '@backstage/catalog-model';
import {
  NotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '@backstage/errors';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  AuthorizeResult,
  type BasicPermission,
} from '@backstage/plugin-permission-common';
import {
  argocdFleetCreatePermission,
  argocdFleetReadPermission,
  type EntityFleet,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  NextFunction,
  Request,
  RequestHandler,
  Response,
  Router,
} from 'express';
import { parse } from 'yaml';
import type { TimelineKind, Timelines } from '../database';
import { objectKey } from '../kubernetes/client';
import { entityLinks } from '../model/views';
import type { ApiHub } from './apiHub';
import type { ChangeFeed } from './changeFeed';
import { streamEvents } from './eventStream';
import type { FleetViews } from './fleetViews';
import { asApiError } from './hubErrorResponse';
import { putApplicationSet, putPlacement } from './hubWrites';

/** What the router is made of. */
export interface RouterOptions {
  readonly hubs: readonly ApiHub[];
  readonly views: FleetViews;
  readonly timelines: Timelines;
  readonly feed: ChangeFeed;
  readonly catalog: CatalogService;
  readonly httpAuth: HttpAuthService;
  readonly permissions: PermissionsService;
}

type OpenApiDocument = Parameters<typeof createValidatedOpenApiRouter>[0];

/** Creates the HTTP API of `schema/openapi.yaml`; requests are checked against that document. */
export async function createRouter(options: RouterOptions): Promise<Router> {
  const { hubs, views, timelines, feed, catalog, httpAuth, permissions } =
    options;

  async function authorize(request: Request, permission: BasicPermission) {
    const credentials = await httpAuth.credentials(request);
    const [{ result }] = await permissions.authorize([{ permission }], {
      credentials,
    });
    if (result !== AuthorizeResult.ALLOW) {
      throw new NotAllowedError(
        `You lack the permission ${permission.name}; whoever looks after the permission policy of this portal can grant it.`,
      );
    }
    return credentials;
  }

  const read = (request: Request) =>
    authorize(request, argocdFleetReadPermission);

  function hubOf({ hub: name }: ObjectRef): ApiHub {
    const hub = hubs.find(candidate => candidate.name === name);
    if (!hub) {
      throw new NotFoundError(
        `There is no hub "${name}". ${
          hubs.length > 0
            ? `Configured are: ${hubs.map(it => it.name).join(', ')}.`
            : 'None is configured (argocdFleet.hubs).'
        }`,
      );
    }
    return hub;
  }

  const router: Router = createValidatedOpenApiRouter<OpenApiDocument>(
    await loadDocument(),
  );

  router.get('/applicationsets', async (request, response) => {
    await read(request);
    response.json(views.listApplicationSets());
  });

  router.get(
    '/applicationsets/:hub/:namespace/:name',
    async (request, response) => {
      await read(request);
      const ref = refOf(request);
      const { cache } = hubOf(ref);
      const detail = views.getApplicationSet(ref);
      if (!detail) {
        if (!cache.hasSynced('applicationSets')) {
          throw new ServiceUnavailableError(
            cache.unsyncedReasons(['applicationSets'])[0],
          );
        }
        throw new NotFoundError(
          `There is no ApplicationSet ${objectKey(ref)} on hub "${ref.hub}"`,
        );
      }
      response.json(detail);
    },
  );

  router.put(
    '/applicationsets/:hub/:namespace/:name',
    async (request, response) => {
      await authorize(request, argocdFleetCreatePermission);
      const ref = refOf(request);
      response.json(await putApplicationSet(hubOf(ref), ref, request.body));
    },
  );

  router.put('/placements/:hub/:namespace/:name', async (request, response) => {
    await authorize(request, argocdFleetCreatePermission);
    const ref = refOf(request);
    response.json(await putPlacement(hubOf(ref), ref, request.body));
  });

  const transitionsOf =
    (kind: TimelineKind): RequestHandler =>
    async (request, response) => {
      await read(request);
      const ref = refOf(request);
      hubOf(ref);
      const { limit, before } = request.query;
      response.json(
        await timelines.transitions(
          { kind, ref },
          { limit: Number(limit), before: before as string | undefined },
        ),
      );
    };
  const named = ':hub/:namespace/:name/transitions';
  router.get(`/applications/${named}`, transitionsOf('application'));
  router.get(`/applicationsets/${named}`, transitionsOf('applicationSet'));
  router.get('/clusters/:hub/:name/transitions', transitionsOf('cluster'));

  router.get('/clusters', async (request, response) => {
    await read(request);
    response.json(views.listClusters());
  });

  router.get('/entities/:kind/:namespace/:name', async (request, response) => {
    const credentials = await read(request);
    const { kind, namespace, name } = request.params;
    const entityRef = stringifyEntityRef({ kind, namespace, name });
    const entity = await catalog.getEntityByRef(entityRef, { credentials });
    if (!entity) {
      throw new NotFoundError(
        `There is no entity ${entityRef} in the catalog, or you may not see it`,
      );
    }
    const { links, problem } = entityLinks(
      entity.metadata.annotations,
      hubs.map(({ name: hub, cache }) => ({
        name: hub,
        listed: cache.hasSynced('applicationSets'),
        has: ref => cache.applicationSets.get(objectKey(ref)) !== undefined,
      })),
    );
    const linked = new Set(links.map(({ ref }) => ref.hub));
    const answer: EntityFleet = {
      entityRef,
      links,
      problem,
      applicationSets: links.flatMap(
        ({ ref }) => views.getApplicationSet(ref) ?? [],
      ),
      hubs: views
        .hubStates()
        .filter(
          state =>
            hubs.length === 0 || linked.size === 0 || linked.has(state.name),
        ),
    };
    response.json(answer);
  });

  router.get('/controllers', async (request, response) => {
    await read(request);
    response.json(views.listControllers());
  });

  router.get('/events', async (request, response) => {
    await read(request);
    streamEvents(feed, request, response);
  });

  router.use((error: unknown, _: Request, __: Response, next: NextFunction) =>
    next(asApiError(error)),
  );
  return router;
}

async function loadDocument(): Promise<OpenApiDocument> {
  const path = resolvePackagePath(
    'backstage-plugin-argocd-fleet-backend',
    'src/schema/openapi.yaml',
  );
  return parse(await readFile(path, 'utf8'));
}

function refOf({ params }: Request): ObjectRef {
  const { hub, namespace, name } = params;
  return { hub, namespace, name };
}
