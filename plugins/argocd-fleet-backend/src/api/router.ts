import { readFile } from 'node:fs/promises';
import {
  resolvePackagePath,
  type AuditorService,
  type AuthService,
  type BackstageCredentials,
  type HttpAuthService,
  type PermissionsRegistryService,
  type PermissionsService,
  type UserInfoService,
} from '@backstage/backend-plugin-api';
import { createValidatedOpenApiRouter } from '@backstage/backend-openapi-utils';
import {
  parseEntityRef,
  stringifyEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import { InputError, NotAllowedError, NotFoundError } from '@backstage/errors';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import type { Permission } from '@backstage/plugin-permission-common';
import {
  argocdFleetApplicationSetCreatePermission,
  argocdFleetApplicationSetDeletePermission,
  argocdFleetApplicationSetReadPermission,
  argocdFleetApplicationSetUpdatePermission,
  argocdFleetClusterReadPermission,
  argocdFleetControllerReadPermission,
  argocdFleetHubReadPermission,
  type ApplicationSet,
  type Finding,
  readEntities,
  type HubState,
  type Inventory,
  type ObjectRef,
  type WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import { normalizeOwner } from 'backstage-plugin-argocd-fleet-node';
import type { NextFunction, Request, Response, Router } from 'express';
import { parse } from 'yaml';
import type { FleetLinks, LinkedEntities } from '../catalog';
import type { TimelineKind, Timelines, TransitionSet } from '../database';
import { objectKey } from '../kubernetes/client';
import { owningApplicationSet } from '../model/delivery';
import { readLinkRequest } from '../model/links';
import { createAuthorizer, type Decision, type Decisions } from './access';
import type { ApiHub } from './apiHub';
import { auditedWrite } from './auditedWrite';
import { putGitOpsCluster } from './clusterImportWrites';
import type { ChangeFeed, FeedEvent } from './changeFeed';
import {
  withComponentFindings,
  type ComponentFindings,
} from './componentFindings';
import { streamEvents } from './eventStream';
import type { FleetFacts } from './fleetFacts';
import type { FleetViews } from './fleetViews';
import type { ApiRequest, ApiResponse, Method, Path } from './apiTypes';
import { HubNotListedError, toApiError } from './hubErrorResponse';
import {
  deleteApplicationSet,
  deletePlacement,
  orderRelease,
  withdrawRelease,
} from './hubDeletions';
import { putApplicationSet, putPlacement, renderManifests } from './hubWrites';
import { placementChange, placementInUse } from './placementChange';
import { listPlacementOptions, previewSelection } from './placementViews';
import { proposePlacement } from './placementProposal';
import { preparePromotion } from './promotions';
import { sendJson } from './sendJson';
import { createStreamLimit } from './streamLimit';
import { createVisibility, type Visibility } from './visibility';
import type { OwnAccess, WriteAccess } from './writeAccess';
import { readSelection } from './writeRequests';

/** Dependencies of the router. */
export interface RouterOptions {
  readonly hubs: readonly ApiHub[];
  readonly views: FleetViews;
  readonly timelines: Timelines;
  readonly feed: ChangeFeed;
  readonly links: FleetLinks;
  readonly linkedEntities: Pick<LinkedEntities, 'of' | 'update'>;
  /** What permissions are decided by. */
  readonly facts: FleetFacts;
  /** What is wrong with the portal, not with a hub. */
  readonly portalFindings: () => readonly Finding[];
  readonly componentFindings: ComponentFindings;
  readonly catalog: CatalogService;
  readonly httpAuth: HttpAuthService;
  readonly permissions: PermissionsService;
  /** With the resource types of `fleetPermissions.ts`. */
  readonly permissionsRegistry: PermissionsRegistryService;
  readonly auth: Pick<AuthService, 'isPrincipal'>;
  readonly userInfo: UserInfoService;
  readonly auditor: AuditorService;
  /** About how many milliseconds an event stream lasts, until the next one is decided anew. Default: some minutes. */
  readonly streamLifetimeMs?: number;
}

/** Every route needs them to know what it may show. */
const READ = {
  sets: argocdFleetApplicationSetReadPermission,
  clusters: argocdFleetClusterReadPermission,
  hubs: argocdFleetHubReadPermission,
} as const;

const WRITE = {
  create: argocdFleetApplicationSetCreatePermission,
  update: argocdFleetApplicationSetUpdatePermission,
} as const;

const CHANGE = { own: argocdFleetApplicationSetUpdatePermission } as const;
const DELETE = { own: argocdFleetApplicationSetDeletePermission } as const;

/** Who sent a request, and what the policy decided about it. */
type Caller<P extends Readonly<Record<string, Permission>>> = Decisions<
  typeof READ & P
> & {
  readonly credentials: BackstageCredentials;
  readonly visibility: Visibility;
  /** The request as it was sent. */
  readonly request: Request;
};

interface TransitionsRequest {
  /** A cluster has no namespace. */
  readonly params: Omit<ObjectRef, 'namespace'> & { namespace?: string };
  readonly query: { readonly limit?: number; readonly before?: string };
}

/**
 * Lets nobody keep an answer: it is for one caller, and for now. Of a list the browser may keep its copy, and asks each
 * time whether it changed (see `sendJson`).
 */
export function uncached(_: Request, response: Response, next: NextFunction) {
  response.set('Cache-Control', 'no-store');
  next();
}

type OpenApiDocument = Parameters<typeof createValidatedOpenApiRouter>[0];

/** Creates the HTTP API of `schema/openapi.yaml`; requests are validated against that document. */
export async function createRouter(options: RouterOptions): Promise<Router> {
  const { hubs, views, timelines, feed, facts, catalog, httpAuth } = options;
  const { componentFindings, linkedEntities, links: fleetLinks } = options;
  const authorizer = createAuthorizer(options);
  const streams = createStreamLimit();

  async function callerOf<P extends Readonly<Record<string, Permission>>>(
    request: Request,
    response: Response,
    permissions: P,
  ): Promise<Caller<P>> {
    const credentials = await httpAuth.credentials(request);
    const decisions = await authorizer.decide(credentials, {
      ...READ,
      ...permissions,
    });
    const {
      sets,
      clusters,
      hubs: hubDetails,
    } = decisions as Decisions<typeof READ>;
    response.locals.seesHubs = hubDetails.all;
    return {
      ...decisions,
      credentials,
      request,
      visibility: createVisibility({ sets, clusters, hubs: hubDetails }, facts),
    } as Caller<P>;
  }

  /** What a caller may write. */
  async function writeAccess({
    create,
    update,
    sets: read,
    credentials,
  }: Caller<typeof WRITE>): Promise<WriteAccess> {
    const ownershipRefs = await ownershipRefsOf(credentials);
    return { create, update, read, ownershipRefs };
  }

  /** What a caller may do to what exists. */
  async function ownAccess<Own extends typeof CHANGE | typeof DELETE>(
    { own: decision, sets: read, credentials }: Caller<Own>,
    { own: permission }: Own,
  ): Promise<OwnAccess> {
    const ownershipRefs = await ownershipRefsOf(credentials);
    return { permission, decision, read, ownershipRefs };
  }

  /** What a caller owns things by; a service owns nothing. */
  async function ownershipRefsOf(credentials: BackstageCredentials) {
    const refs = options.auth.isPrincipal(credentials, 'user')
      ? (await options.userInfo.getUserInfo(credentials)).ownershipEntityRefs
      : [];
    return new Set(
      refs.map(normalizeOwner).filter(owner => owner !== undefined),
    );
  }

  /** Has the auditor record a request to write, whether it is allowed or not. */
  const audited = (
    eventId: string,
    { request }: Caller<typeof WRITE>,
    write: () => Promise<WriteResult>,
  ) =>
    auditedWrite(options.auditor, eventId, request, write, ({ result }) => ({
      result,
    }));

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

  /** Serves one operation of the document: asks what the caller may do, and responds with the handler's result. */
  function serve<
    P extends Path,
    M extends Method,
    Needed extends Readonly<Record<string, Permission>>,
  >(
    method: M,
    path: P,
    permissions: Needed,
    handler: (
      request: ApiRequest<NoInfer<P>, NoInfer<M>>,
      caller: Caller<NoInfer<Needed>>,
    ) => ApiResponse<P, M> | Promise<ApiResponse<P, M>>,
  ) {
    router[method](
      path.replace(/\{(\w+)\}/g, ':$1'),
      async (request: Request, response: Response) => {
        const caller = await callerOf(request, response, permissions);
        // The router has validated the request against the document, from which these types are generated.
        const { params, query, body } = request;
        const checked = { params, query, body } as unknown as ApiRequest<P, M>;
        await sendJson(response, await handler(checked, caller));
      },
    );
  }

  serve('get', '/applicationsets', {}, async (_, { visibility }) => {
    const list = visibility.applicationSetList({
      ...(await views.listApplicationSets()),
      findings: [...options.portalFindings()],
    });
    return {
      ...list,
      items: list.items.map(set =>
        withComponentFindings(set, componentFindings),
      ),
    };
  });

  /** An ApplicationSet's own answer: what the caller may see of its hub, and what the catalog says of its component. */
  function asShown<View extends ApplicationSet & { hubState: HubState }>(
    visibility: Visibility,
    view: View,
  ): View {
    const [hubState] = visibility.hubStates([view.hubState]);
    return withComponentFindings({ ...view, hubState }, componentFindings);
  }

  /** Answers with an object of a hub, or says why there is none; one that the caller may not see is none. */
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
    {},
    async ({ params: ref }, { visibility }) =>
      asShown(
        visibility,
        await found(
          ref,
          'ApplicationSet',
          visibility.applicationSet(ref)
            ? views.getApplicationSet(ref)
            : undefined,
        ),
      ),
  );

  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}/rows',
    {},
    async ({ params: ref, query }, { visibility }) =>
      asShown(
        visibility,
        await found(
          ref,
          'ApplicationSet',
          visibility.applicationSet(ref)
            ? views.getApplicationSetRows(ref, query.since)
            : undefined,
        ),
      ),
  );

  serve(
    'post',
    '/applicationsets/{hub}/{namespace}/{name}/promotions',
    CHANGE,
    ({ params: ref, body }, caller) => {
      const seen = (set: ObjectRef) =>
        found(
          set,
          'ApplicationSet',
          caller.visibility.applicationSet(set)
            ? views.getApplicationSetRows(set, undefined)
            : undefined,
        );
      return auditedWrite(
        options.auditor,
        'promotion',
        caller.request,
        async () =>
          preparePromotion(findHub(ref), await ownAccess(caller, CHANGE), {
            to: await seen(ref),
            from: await seen(body.from),
          }),
        ({ from: { revision = '' } }) => ({ revision }),
      );
    },
  );

  /** An Application is seen by who sees its ApplicationSet. */
  function seesApplication(ref: ObjectRef, visibility: Visibility): boolean {
    const application = hubs
      .find(({ name }) => name === ref.hub)
      ?.cache.applications.get(objectKey(ref));
    const owner = application && owningApplicationSet(application);
    return (
      owner !== undefined &&
      visibility.applicationSet({ hub: ref.hub, ...owner })
    );
  }

  serve(
    'get',
    '/applications/{hub}/{namespace}/{name}',
    {},
    async ({ params: ref }, { visibility }) => {
      const application = await found(
        ref,
        'Application',
        seesApplication(ref, visibility)
          ? views.getApplication(ref)
          : undefined,
      );
      const cluster = { hub: ref.hub, name: application.cluster.name };
      const findings = visibility.clusterFindings(
        cluster,
        views.clusterFindings(cluster.hub, cluster.name),
      );
      return findings.length > 0
        ? { ...application, clusterFindings: findings }
        : application;
    },
  );

  serve(
    'put',
    '/applicationsets/{hub}/{namespace}/{name}',
    WRITE,
    ({ params: ref, query, body }, caller) =>
      audited('application-set-write', caller, async () =>
        putApplicationSet(findHub(ref), ref, body, await writeAccess(caller), {
          dryRun: String(query.dryRun) === 'true',
        }),
      ),
  );

  serve(
    'put',
    '/placements/{hub}/{namespace}/{name}',
    WRITE,
    ({ params: ref, query, body }, caller) =>
      audited('placement-write', caller, async () =>
        putPlacement(
          findHub(ref),
          ref,
          body,
          await writeAccess(caller),
          query.applicationSet,
        ),
      ),
  );

  serve(
    'put',
    '/gitopsclusters/{hub}/{namespace}/{name}',
    WRITE,
    ({ params: ref, body }, caller) =>
      audited('cluster-import-write', caller, async () =>
        putGitOpsCluster(findHub(ref), ref, body, await writeAccess(caller)),
      ),
  );

  serve(
    'post',
    '/applicationsets/{hub}/{namespace}/{name}/manifests',
    WRITE,
    ({ params: ref, body }, caller) =>
      auditedWrite(
        options.auditor,
        'manifests',
        caller.request,
        async () =>
          renderManifests(findHub(ref), ref, body, await writeAccess(caller)),
        () => ({}),
      ),
  );

  serve(
    'put',
    '/applicationsets/{hub}/{namespace}/{name}/release',
    CHANGE,
    ({ params: ref, body: { release } }, caller) =>
      auditedWrite(
        options.auditor,
        'release-order',
        caller.request,
        async () =>
          orderRelease(
            findHub(ref),
            ref,
            release,
            await ownAccess(caller, CHANGE),
          ),
        ({ stored }) => ({ stored }),
      ),
  );

  serve(
    'delete',
    '/applicationsets/{hub}/{namespace}/{name}/release',
    CHANGE,
    ({ params: ref }, caller) =>
      auditedWrite(
        options.auditor,
        'release-withdrawal',
        caller.request,
        async () =>
          withdrawRelease(findHub(ref), ref, await ownAccess(caller, CHANGE)),
        ({ stored }) => ({ stored }),
      ),
  );

  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}/placement',
    {},
    async ({ params: ref, query }, { visibility }) => {
      const set = await found(
        ref,
        'ApplicationSet',
        visibility.applicationSet(ref)
          ? views.getApplicationSetRows(ref, undefined)
          : undefined,
      );
      const hub = findHub(ref);
      const used = await placementInUse(hub, ref);
      const { allClusters, ...chosen } = query;
      if (Object.keys(chosen).length === 0 && String(allClusters) !== 'true') {
        return used;
      }
      const selection = readSelection(ref.namespace, {
        ...chosen,
        numberOfClusters:
          chosen.numberOfClusters && Number(chosen.numberOfClusters),
      });
      const change = placementChange(
        hub,
        set,
        selection,
        visibility,
        ({ application }) =>
          views.getApplication({ hub: ref.hub, ...application }),
      );
      return { ...used, change };
    },
  );

  serve(
    'post',
    '/applicationsets/{hub}/{namespace}/{name}/placement',
    CHANGE,
    ({ params: ref, body }, caller) =>
      auditedWrite(
        options.auditor,
        'placement-proposal',
        caller.request,
        async () => {
          await found(
            ref,
            'ApplicationSet',
            caller.visibility.applicationSet(ref)
              ? views.getApplicationSet(ref)
              : undefined,
          );
          return proposePlacement(
            findHub(ref),
            ref,
            body,
            await ownAccess(caller, CHANGE),
          );
        },
        () => ({}),
      ),
  );

  serve(
    'delete',
    '/applicationsets/{hub}/{namespace}/{name}',
    DELETE,
    ({ params: ref }, caller) =>
      auditedWrite(
        options.auditor,
        'application-set-delete',
        caller.request,
        async () =>
          deleteApplicationSet(
            findHub(ref),
            ref,
            await ownAccess(caller, DELETE),
          ),
        () => ({}),
      ),
  );

  serve(
    'delete',
    '/placements/{hub}/{namespace}/{name}',
    DELETE,
    ({ params: ref }, caller) =>
      auditedWrite(
        options.auditor,
        'placement-delete',
        caller.request,
        async () =>
          deletePlacement(findHub(ref), ref, await ownAccess(caller, DELETE)),
        () => ({}),
      ),
  );

  /** What is not visible is left out, so a timeline of it is empty, like one of what never existed. */
  const transitionsOf =
    (kind: TimelineKind) =>
    (
      { params, query }: TransitionsRequest,
      { sets, visibility }: Caller<{}>,
    ) => {
      const ref = { namespace: '', ...params };
      const { name: hub, cache } = findHub(ref);
      const visibleOf = ({ namespace, name }: TransitionSet) => {
        if (name === undefined) {
          // A standalone Application has neither the labels nor the owner of an ApplicationSet.
          return sets.allows({ ref: { hub, namespace, name: '' } });
        }
        const set = { hub, namespace, name };
        if (!sets.allows(facts.applicationSet(set))) {
          return false;
        }
        // Owner and labels are those of the present ApplicationSet only: it may have the name of a deleted one.
        return (
          sets.allows({ ref: set }) ||
          (cache.applicationSets.get(objectKey(set))?.metadata.uid ?? false)
        );
      };
      return timelines.transitions(
        { kind, ref },
        { limit: Number(query.limit), before: query.before },
        kind === 'cluster' && !visibility.cluster(hub, ref.name)
          ? false
          : sets.all || visibleOf,
      );
    };
  serve(
    'get',
    '/applications/{hub}/{namespace}/{name}/transitions',
    {},
    transitionsOf('application'),
  );
  serve(
    'get',
    '/applicationsets/{hub}/{namespace}/{name}/transitions',
    {},
    transitionsOf('applicationSet'),
  );
  serve(
    'get',
    '/clusters/{hub}/{name}/transitions',
    {},
    transitionsOf('cluster'),
  );

  serve('get', '/clusters', {}, (_, { visibility }) =>
    visibility.clusterList(views.listClusters()),
  );

  serve(
    'get',
    '/placement-options',
    { create: WRITE.create },
    async (_, { visibility, create, credentials }) => {
      const ownershipRefs = await ownershipRefsOf(credentials);
      return {
        items: hubs.map(hub =>
          listPlacementOptions(
            hub,
            visibility,
            (namespace, owners) =>
              create.mightAllow({
                ref: { hub: hub.name, namespace, name: '' },
              }) &&
              (create.all ||
                !owners ||
                owners.some(owner => ownershipRefs.has(owner))),
          ),
        ),
        hubs: visibility.hubStates(views.hubStates()),
      };
    },
  );

  serve(
    'get',
    '/placement-previews/{hub}/{namespace}',
    {},
    ({ params: { hub, namespace }, query }, { visibility }) =>
      previewSelection(
        findHub({ hub, namespace, name: '' }),
        namespace,
        readSelection(namespace, {
          ...query,
          numberOfClusters:
            query.numberOfClusters && Number(query.numberOfClusters),
        }),
        visibility,
      ),
  );

  serve(
    'get',
    '/inventory',
    {},
    async ({ query }, { sets, clusters, visibility, credentials }) => {
      const inventory = visibility.inventory(
        // What a caller with conditions may see also changes with the policy, of which nobody hears.
        await views.getInventory(
          sets.all && clusters.all ? query.since : undefined,
        ),
      );
      return options.auth.isPrincipal(credentials, 'service')
        ? inventory
        : withoutLinkedEntities(inventory);
    },
  );

  serve(
    'get',
    '/entities/{kind}/{namespace}/{name}',
    {},
    async ({ params }, { credentials, visibility }) => {
      const entityRef = entityRefOf(params);
      const entity = await catalog.getEntityByRef(entityRef, { credentials });
      if (!entity) {
        throw new NotFoundError(
          `There is no entity ${entityRef} in the catalog, or you lack the permission to read it`,
        );
      }
      await fleetLinks.refresh();
      const linkRequest = readLinkRequest(entity);
      const { applicationSet: isVisible } = visibility;
      const { links, problem } = fleetLinks.linksOf(linkRequest, isVisible);
      const summaries = await Promise.all(
        links.map(({ ref }) =>
          visibility.applicationSet(ref) ? views.getSummary(ref) : undefined,
        ),
      );
      const linked = new Set(links.map(({ ref }) => ref.hub));
      return {
        entityRef,
        links,
        problem,
        ...(links.every(({ state }) => state !== 'found') &&
          fleetLinks.suggestionsFor(params.name, linkRequest, isVisible)),
        applicationSets: summaries
          .filter(set => set !== undefined)
          .map(set => withComponentFindings(set, componentFindings)),
        hubs: visibility
          .hubStates(views.hubStates())
          .filter(
            ({ name }) =>
              hubs.length === 0 || linked.size === 0 || linked.has(name),
          ),
      };
    },
  );

  serve('get', '/links', {}, async (_, { credentials, visibility }) => {
    await linkedEntities.update();
    const linked = hubs.flatMap(({ name: hub, cache }) =>
      Array.from(cache.applicationSets.list(), ({ metadata }) => ({
        hub,
        namespace: metadata.namespace ?? '',
        name: metadata.name,
      })).flatMap(ref => {
        const entities = visibility.applicationSet(ref)
          ? linkedEntities.of(ref)
          : [];
        return entities.length > 0 ? { ref, entities } : [];
      }),
    );
    // The catalog says which of them the caller may see.
    const seen = await readEntities<Entity>(
      linked.flatMap(({ entities }) => entities.map(each => each.entityRef)),
      entityRefs =>
        catalog.getEntitiesByRefs(
          { entityRefs, fields: ['kind', 'spec.owner'] },
          { credentials },
        ),
    );
    return {
      items: linked.flatMap(({ ref, entities }) => {
        const visible = entities.flatMap(({ entityRef, way, via }) => {
          const owner = seen.get(entityRef)?.spec?.owner;
          return seen.has(entityRef)
            ? {
                entityRef,
                way,
                via,
                ...(typeof owner === 'string' && { owner }),
              }
            : [];
        });
        return visible.length > 0 ? { ref, entities: visible } : [];
      }),
    };
  });

  serve(
    'get',
    '/controllers',
    { controllers: argocdFleetControllerReadPermission },
    (_, { controllers, visibility }) => {
      requireBasic(controllers, argocdFleetControllerReadPermission);
      return visibility.controllerList(views.listControllers());
    },
  );

  router.get('/events', async (request, response) => {
    const { credentials, sets } = await callerOf(request, response, {});
    const visible = ({ applicationSets, hubs: changedHubs }: FeedEvent) => {
      const seen = applicationSets.filter(
        ({ ref, before }) =>
          sets.all ||
          sets.allows(facts.applicationSet(ref)) ||
          before.some(set => sets.allows(facts.formerApplicationSet(ref, set))),
      );
      return seen.length > 0 || changedHubs.length > 0
        ? { applicationSets: seen.map(({ ref }) => ref), hubs: changedHubs }
        : undefined;
    };
    streamEvents(feed, request, response, {
      visible,
      onEnd: streams.open(principalOf(credentials)),
      lifetimeMs: options.streamLifetimeMs,
    });
  });

  router.use(
    (error: unknown, _: Request, response: Response, next: NextFunction) =>
      next(toApiError(error, response.locals.seesHubs === true)),
  );
  return router;
}

/** Which entities there are is the catalog's to say: it makes relations of them, and asks as a service. */
function withoutLinkedEntities(inventory: Inventory): Inventory {
  return {
    ...inventory,
    applicationSets: inventory.applicationSets.map(
      ({ linkedEntities: _, ...set }) => set,
    ),
  };
}

function requireBasic({ all }: Decision<unknown>, { name }: Permission) {
  if (!all) {
    throw new NotAllowedError(
      `You lack the permission ${name}. An administrator of this portal can grant it in the permission policy.`,
    );
  }
}

/** Who holds the streams: a user by its entity, a service by its subject. */
function principalOf({ principal }: BackstageCredentials): string {
  const { userEntityRef, subject } = principal as {
    readonly userEntityRef?: string;
    readonly subject?: string;
  };
  return userEntityRef ?? subject ?? '';
}

/** @throws InputError where these are not the parts of an entity reference */
function entityRefOf(
  parts: Parameters<typeof stringifyEntityRef>[0] & object,
): string {
  const entityRef = stringifyEntityRef(parts);
  try {
    parseEntityRef(entityRef);
    return entityRef;
  } catch {
    throw new InputError(
      `${JSON.stringify(entityRef)} is no entity reference; write <kind>/<namespace>/<name>, each without a colon or slash`,
    );
  }
}

async function loadDocument(): Promise<OpenApiDocument> {
  const path = resolvePackagePath(
    'backstage-plugin-argocd-fleet-backend',
    'src/schema/openapi.yaml',
  );
  return parse(await readFile(path, 'utf8'));
}
