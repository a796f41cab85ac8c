import {
  componentRef,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { Entity } from '@backstage/catalog-model';
import type request from 'supertest';
import type { TestHub } from '../../../__testUtils__/hubFixture';
import type { CollectingCatalog } from './collectingCatalog';
import {
  ARGO_CD,
  BREACHED,
  SELECTED,
  SHARED_CLUSTER,
  VICTIM,
  VICTIMS_CLUSTER,
} from './places';
import { setOf } from './decide';
import { BASE, userHeader } from './api';

/** Everything that a team sees of its own. */
export interface VictimsView {
  /** Bodies by path, reduced to the team's own where a list has others' too. */
  readonly answers: Readonly<Record<string, any>>;
  /** The team's objects on the hub, and the Secrets of the hub's Argo CD except the hostile cluster's own. */
  readonly objects: readonly object[];
  /** The team's components in the catalog. */
  readonly components: readonly (Entity | undefined)[];
}

/** The component that the annotations of the victim's ApplicationSet define. */
export const DEFINED_COMPONENT = 'till';
/** The component that a catalog file of the victim has. */
export const COMPONENT_OF_FILE = 'shop';

const SET = `/applicationsets/hub/${VICTIM}/shop`;
const APPLICATIONS = SELECTED[VICTIM].map(
  cluster => `/applications/hub/${VICTIM}/shop-${cluster}`,
);
const CLUSTERS: readonly string[] = [VICTIMS_CLUSTER, SHARED_CLUSTER];

const isOwn = ({ namespace }: { readonly namespace?: string }) =>
  namespace === VICTIM;

/** Answers that lists make of everything, reduced to what is the victim's. */
const REDUCED: Readonly<Record<string, (body: any) => unknown>> = {
  '/applicationsets': body => body.items.filter((it: any) => isOwn(it.ref)),
  '/clusters': body =>
    body.items
      .filter((it: any) => it.hub === 'hub' && CLUSTERS.includes(it.name))
      .map((it: any) => ({
        ...it,
        applicationSets: it.applicationSets.filter(isOwn),
      })),
  '/inventory': body => ({
    clusters: body.clusters
      .filter((it: any) => it.hub === 'hub' && CLUSTERS.includes(it.name))
      .map((it: any) => ({
        ...it,
        applicationSets: it.applicationSets.filter(isOwn),
      })),
    applicationSets: body.applicationSets.filter((it: any) => isOwn(it.ref)),
  }),
  '/placement-options': body =>
    body.items
      .flatMap((it: any) => it.namespaces)
      .filter(({ name }: any) => name === VICTIM),
  '/entities/component/default/shop': ({ hubs: _, ...body }) => body,
};

const PATHS = [
  ...Object.keys(REDUCED),
  SET,
  `${SET}/rows`,
  `${SET}/transitions`,
  ...APPLICATIONS,
  ...APPLICATIONS.map(path => `${path}/transitions`),
  ...CLUSTERS.map(name => `/clusters/hub/${name}/transitions`),
  `/placement-previews/hub/${VICTIM}?clusterSets=${setOf(VICTIM)}`,
];

/** What the API answers the victim, and what of it is on the hub. */
export function createVictimsView(
  testHub: TestHub,
  api: ReturnType<typeof request>,
  catalog: Pick<CollectingCatalog, 'get'>,
): () => Promise<VictimsView> {
  async function answer(path: string) {
    const { status, body } = await api
      .get(`${BASE}${path}`)
      .set('authorization', userHeader('victor'));
    if (status !== 200) {
      throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    }
    return REDUCED[path] ? REDUCED[path](body) : withoutHub(body);
  }

  async function objects() {
    const { admin } = testHub;
    const [sets, applications, placements, decisions, reports, works, secrets] =
      await Promise.all([
        admin.list('applicationSets'),
        admin.list('applications'),
        admin.list('placements'),
        admin.list('decisions'),
        admin.list('reports'),
        admin.list('works'),
        admin.list('clusterSecrets'),
      ]);
    return [
      ...[sets, applications, placements, decisions, reports].flatMap(
        (list: readonly KubernetesObject[]) =>
          list.filter(({ metadata }) => isOwn(metadata)),
      ),
      ...works.filter(
        ({ metadata: { namespace = '', annotations } }) =>
          CLUSTERS.includes(namespace) &&
          annotations?.[HUB_APPLICATION_NAMESPACE_ANNOTATION] === VICTIM,
      ),
      ...secrets.filter(
        ({ metadata: { namespace, name } }) =>
          namespace === ARGO_CD && name !== `${BREACHED}-cluster-secret`,
      ),
    ].map(withoutHistory);
  }

  return async () => ({
    answers: Object.fromEntries(
      await Promise.all(PATHS.map(async path => [path, await answer(path)])),
    ),
    objects: await objects(),
    components: [DEFINED_COMPONENT, COMPONENT_OF_FILE].map(name =>
      catalog.get(componentRef(name)),
    ),
  });
}

/** The state of the hub as a whole is not the team's own: it may name what is wrong elsewhere. */
function withoutHub({ hubState: _, hubs: __, ...body }: any) {
  return body;
}

/** Without what counts writes: a write that changes nothing does no harm, and is not stored. */
function withoutHistory({
  metadata: { managedFields: _, ...metadata },
  ...object
}: any) {
  return { ...object, metadata };
}
