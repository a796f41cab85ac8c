import { readFile } from 'node:fs/promises';
import {
  resolvePackagePath,
  type BackstageCredentials,
  type HttpAuthService,
  type PermissionsService,
} from '@backstage/backend-plugin-api';
import { createValidatedOpenApiRouter } from '@backstage/backend-openapi-utils';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { NotAllowedError, NotFoundError } from '@backstage/errors';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import {
  AuthorizeResult,
  type BasicPermission,
} from '@backstage/plugin-permission-common';
import {
  argocdFleetCreatePermission,
  argocdFleetReadPermission,
  type Finding,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { NextFunction, Request, Response, Router } from 'express';
import { parse } from 'yaml';
import type { TimelineKind, Timelines } from '../database';
import { objectKey } from '../kubernetes/client';
import { entityLinks } from '../model/views';
import type { ApiHub } from './apiHub';
import type { ChangeFeed } from './changeFeed';
import { streamEvents } from './eventStream';
import type { FleetViews } from './fleetViews';
import type { ApiRequest, ApiResponse, Method, Path } from './apiTypes';
import { HubNotListedError, toApiError } from './hubErrorResponse';
import { putApplicationSet, putPlacement } from './hubWrites';
import { listPlacementOptions, previewSelection } from './placementViews';
import { sendJson } from './sendJson';
import { readSelection } from './writeRequests';

/** Dependencies of the router. */
export interface RouterOptions {
  readonly hubs: readonly ApiHub[];
  readonly views: FleetViews;
  readonly timelines: Timelines;
  readonly feed: ChangeFeed;
  /** What is wrong with the portal, not with a hub. */
  readonly portalFindings: () => readonly Finding[];
  readonly catalog: CatalogService;
  readonly httpAuth: HttpAuthService;
  readonly permissions: PermissionsService;
}

interface TransitionsRequest {
  /** A cluster has no namespace. */
  readonly params: Omit<ObjectRef, 'namespace'> & { namespace?: string };
  readonly query: { readonly limit?: number; readonly before?: string };
}

type OpenApiDocument = Parameters<typeof createValidatedOpenApiRouter>[0];

/** Creates the HTTP API of `schema/openapi.yaml`; requests are validated against that document. */
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
        `You lack the permission ${permission.name}. An administrator of this portal can grant it in the permission policy.`,
      );
    }
    return credentials;
  }

  function findHub({ hub: name }: ObjectRef): ApiHub {
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

  /** Serves one operation of the document: checks the permission, and responds with the handler's result. */
  function serve<P extends Path, M extends Method>(
    method: M,
    path: P,
    permission: BasicPermission,
    handler: (
      request: ApiRequest<NoInfer<P>, NoInfer<M>>,
      credentials: BackstageCredentials,
    ) => ApiResponse<P, M> | Promise<ApiResponse<P, M>>,
  ) {
    router[method](
      path.replace(/\{(\w+)\}/g, ':$1'),
      async (request: Request, response: Response) => {
        const credentials = await authorize(request, permission);
        // The router has validated the request against the document, from which these types are generated.
        const { params, query, body } = request;
        const checked = { params, query, body } as unknown as ApiRequest<P, M>;
        await sendJson(response, await handler(checked, credentials));
      },
    );
  }

  serve('get', '/applicationsets', argocdFleetReadPermission, async () => ({
    ...(await views.listApplicationSets()),
    findings: [...options.portalFindings()],
  }));

  /** Answers with an object of a hub, or says why there is none. */
  async function found<View>(
    ref: ObjectRef,
    kind: 'ApplicationSet' | 'Application',
    view: View | undefined | Promise<View | undefined>,
  ): Promise<View> {
    const { cache } = findHub(ref);
    const answer = await view;
    if (answer !== undefined) {
      return answer;
    }
    const resource =
      kind === 'Application' ? 'applications' : 'applicationSets';
    if (!cache.hasSynced(resource)) {
      throw new HubNotListedError(cache.unsyncedReasons([resource])[0]);
    }
    throw new NotFoundError(
      `There is no ${kind} ${objectKey(ref)} on hub "${ref.hub}"`,
    );
  }

  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}',
    argocdFleetReadPermission,
    ({ params: ref }) =>
      found(ref, 'ApplicationSet', views.getApplicationSet(ref)),
  );

  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}/rows',
    argocdFleetReadPermission,
    ({ params: ref }) =>
      found(ref, 'ApplicationSet', views.getApplicationSetRows(ref)),
  );

  serve(
    'get',
    '/applications/{hub}/{namespace}/{name}',
    argocdFleetReadPermission,
    ({ params: ref }) => found(ref, 'Application', views.getApplication(ref)),
  );

  serve(
    'put',
    '/applicationsets/{hub}/{namespace}/{name}',
    argocdFleetCreatePermission,
    ({ params: ref, body }) => putApplicationSet(findHub(ref), ref, body),
  );

  serve(
    'put',
    '/placements/{hub}/{namespace}/{name}',
    argocdFleetCreatePermission,
    ({ params: ref, body }) => putPlacement(findHub(ref), ref, body),
  );

  const transitionsOf =
    (kind: TimelineKind) =>
    ({ params, query }: TransitionsRequest) => {
      const ref = { namespace: '', ...params };
      findHub(ref);
      return timelines.transitions(
        { kind, ref },
        { limit: Number(query.limit), before: query.before },
      );
    };
  serve(
    'get',
    '/applications/{hub}/{namespace}/{name}/transitions',
    argocdFleetReadPermission,
    transitionsOf('application'),
  );
  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}/transitions',
    argocdFleetReadPermission,
    transitionsOf('applicationSet'),
  );
  serve(
    'get',
    '/clusters/{hub}/{name}/transitions',
    argocdFleetReadPermission,
    transitionsOf('cluster'),
  );

  serve('get', '/clusters', argocdFleetReadPermission, () =>
    views.listClusters(),
  );

  serve('get', '/placement-options', argocdFleetReadPermission, () => ({
    items: hubs.map(listPlacementOptions),
    hubs: views.hubStates(),
  }));

  serve(
    'get',
    '/placement-previews/{hub}/{namespace}',
    argocdFleetReadPermission,
    ({ params: { hub, namespace }, query }) =>
      previewSelection(
        findHub({ hub, namespace, name: '' }),
        namespace,
        readSelection(namespace, {
          ...query,
          numberOfClusters:
            query.numberOfClusters && Number(query.numberOfClusters),
        }),
      ),
  );

  serve('get', '/inventory', argocdFleetReadPermission, ({ query }) =>
    views.getInventory(query.since),
  );

  serve(
    'get',
    '/entities/{kind}/{namespace}/{name}',
    argocdFleetReadPermission,
    async ({ params }, credentials) => {
      const entityRef = stringifyEntityRef(params);
      const entity = await catalog.getEntityByRef(entityRef, { credentials });
      if (!entity) {
        throw new NotFoundError(
          `There is no entity ${entityRef} in the catalog, or you lack the permission to read it`,
        );
      }
      const { links, problem } = entityLinks(
        entity.metadata.annotations,
        hubs.map(({ name: hub, cache }) => ({
          name: hub,
          // While a hub is out of reach or listed anew, nobody knows what it lacks.
          listed: cache.unsyncedReasons(['applicationSets']).length === 0,
          has: ref => cache.applicationSets.get(objectKey(ref)) !== undefined,
        })),
      );
      const summaries = await Promise.all(
        links.map(({ ref }) => views.getSummary(ref)),
      );
      const linked = new Set(links.map(({ ref }) => ref.hub));
      return {
        entityRef,
        links,
        problem,
        applicationSets: summaries.filter(set => set !== undefined),
        hubs: views
          .hubStates()
          .filter(
            ({ name }) =>
              hubs.length === 0 || linked.size === 0 || linked.has(name),
          ),
      };
    },
  );

  serve('get', '/controllers', argocdFleetReadPermission, () =>
    views.listControllers(),
  );

  router.get('/events', async (request, response) => {
    await authorize(request, argocdFleetReadPermission);
    streamEvents(feed, request, response);
  });

  router.use((error: unknown, _: Request, __: Response, next: NextFunction) =>
    next(toApiError(error)),
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
