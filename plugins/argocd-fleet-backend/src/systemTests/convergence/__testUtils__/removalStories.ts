import type {
  ArgoApplication,
  ArgoApplicationSet,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { waitFor } from '../../../__testUtils__/waitFor';
import { pick, type Random } from './churn';
import { applicationFor, applicationSetFor } from './fleetManifests';
import type { HubApi } from './hubApi';
import type { WorkLedger } from './workLedger';

const ARGO = '/apis/argoproj.io/v1alpha1/namespaces';
const OCM = 'apps.open-cluster-management.io';
const PULL = `${OCM}/pull-to-ocm-managed-cluster`;

/** Namespace of the sets of the stories. */
export const STORY_NAMESPACE = 'tenant-b';

/** What the plugin's database says. */
export interface StoredRemovals {
  /** Whether the order of a set was stored. */
  hasOrder(set: string): Promise<boolean>;
  /** UIDs of the works that are held. */
  held(): Promise<ReadonlySet<string>>;
}

/** One change of the hub, by a person or by Argo CD, and what it allows. */
interface Step {
  /** Whether it may be made now. */
  ready?(): boolean | Promise<boolean>;
  act(): Promise<void>;
}

/** What happens to one ApplicationSet. */
export interface Story {
  readonly name: string;
  /** What comes before the steps, in the first life of the controllers: resolves when they have done it. */
  begin?(): Promise<void>;
  readonly steps: readonly Step[];
  /** What is wrong in the end, besides what the ledger knows. */
  check?(stored: StoredRemovals): Promise<readonly string[]>;
}

/** An ApplicationSet on a hub, with what Argo CD and people do to it. */
export interface SetOnHub {
  readonly name: string;
  readonly names: readonly string[];
  /** Creates the set and its Applications. */
  create(): Promise<void>;
  works(names?: readonly string[]): readonly ManifestWork[];
  generate(names: readonly string[]): Promise<void>;
  vanish(names: readonly string[]): Promise<void>;
  label(to: string | null): Promise<void>;
  retarget(name: string, to: string): Promise<void>;
  annotate(release: string | null): Promise<void>;
  deleteSet(how: 'Orphan' | 'Background'): Promise<void>;
  /** Whether none of its Applications exists. */
  isEmpty(): Promise<boolean>;
}

/** Describes a set; nothing is created yet. */
export function setOnHub(options: {
  readonly api: HubApi;
  readonly ledger: WorkLedger;
  readonly name: string;
  /** Cluster of each Application. */
  readonly clusters: readonly string[];
  readonly finalizer: boolean;
}): SetOnHub {
  const { api, ledger, name, clusters, finalizer } = options;
  const names = clusters.map((_, index) => `${name}-${index}`);
  const sets = `${ARGO}/${STORY_NAMESPACE}/applicationsets`;
  const applications = `${ARGO}/${STORY_NAMESPACE}/applications`;
  const patchAll = (metadata: object) =>
    Promise.all(
      names.map(each => api.patch(`${applications}/${each}`, { metadata })),
    );

  async function generate(some: readonly string[]) {
    const set = await api.get<ArgoApplicationSet>(`${sets}/${name}`);
    const owner = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      name,
      uid: set!.metadata.uid!,
    };
    await Promise.all(
      some.map(each => {
        const application = applicationFor(
          { namespace: STORY_NAMESPACE, name: each },
          clusters[names.indexOf(each)],
          finalizer,
        );
        return api.create(applications, {
          ...application,
          metadata: { ...application.metadata, ownerReferences: [owner] },
        } as ArgoApplication);
      }),
    );
  }

  return {
    name,
    names,
    async create() {
      await api.create(
        sets,
        applicationSetFor({ namespace: STORY_NAMESPACE, name }),
      );
      await generate(names);
    },
    works: (some = names) =>
      some.flatMap(each => ledger.of(`${STORY_NAMESPACE}/${each}`)),
    generate,
    async vanish(some) {
      await Promise.all(
        some.map(each => api.delete(`${applications}/${each}`)),
      );
    },
    async label(to) {
      await patchAll({ labels: { [PULL]: to } });
    },
    async retarget(which, to) {
      await api.patch(`${applications}/${which}`, {
        metadata: { annotations: { [`${OCM}/ocm-managed-cluster`]: to } },
      });
    },
    async annotate(release) {
      await api.patch(`${sets}/${name}`, {
        metadata: { annotations: { 'argocd-fleet/release': release } },
      });
    },
    async deleteSet(propagationPolicy) {
      await api.delete(`${sets}/${name}`, { propagationPolicy });
    },
    async isEmpty() {
      const found = await Promise.all(
        names.map(each => api.get(`${applications}/${each}`)),
      );
      return found.every(each => each === undefined);
    },
  };
}

/** What a story is made of. */
interface Cast {
  readonly set: SetOnHub;
  readonly ledger: WorkLedger;
  readonly stored: StoredRemovals;
  readonly random: Random;
  readonly clusters: readonly string[];
  /** Whether a replica watches the hub at any time: none of what was ordered is missed. */
  readonly isWatchedAlways: boolean;
  /** Whether a full pass of the controllers has begun since that time: RFC 3339. */
  passedSince(time: string): boolean;
}

/** Whether the agent of a cluster has made a work harmless, as the order asks for. */
const DONE: Readonly<Record<string, (last: ManifestWork) => boolean>> = {
  remove: () => true,
  orphan: ({ metadata, spec, status }) =>
    spec.deleteOption?.propagationPolicy === 'Orphan' &&
    spec.manifestConfigs?.[0].updateStrategy?.type === 'CreateOnly' &&
    (status?.conditions ?? []).some(
      ({ type, observedGeneration }) =>
        type === 'Applied' && observedGeneration === metadata.generation,
    ),
  'hand-over': ({ metadata, spec, status }) =>
    spec.workload?.manifests?.[0].metadata.finalizers === undefined &&
    (status?.resourceStatus?.manifests?.[0].conditions ?? []).some(
      ({ type, observedGeneration }) =>
        type === 'ApplicationHandedOver' &&
        observedGeneration === metadata.generation,
    ),
};

/** The values in a random order. */
export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  return values
    .map(value => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

/** In pieces until nothing is left: the last piece is held, and whatever waits with it. */
function vanishes({ set, ledger, random }: Cast): Story {
  const pieces: string[][] = [];
  for (const name of shuffled(random, set.names)) {
    if (pieces.length === 0 || random() < 0.6) {
      pieces.push([]);
    }
    pieces.at(-1)!.push(name);
  }
  return {
    name: `vanishes in ${pieces.length} pieces`,
    steps: pieces.map((piece, index) => ({
      async act() {
        if (index < pieces.length - 1) {
          ledger.mayGo(set.works(piece));
        }
        await set.vanish(piece);
      },
    })),
    check: stored => allHeld(set, pieces.at(-1)!, stored),
  };
}

/** Only with what an earlier life let go is the rest all works of a set: two alone are too few to be held. */
function vanishesOverLives({ set, ledger, random }: Cast): Story {
  const names = shuffled(random, set.names);
  const first = names.slice(0, -2);
  const last = names.slice(-2);
  return {
    name: `vanishes over lives`,
    async begin() {
      ledger.mayGo(set.works(first));
      await set.vanish(first);
      await waitFor(() => set.works(first).length === 0);
    },
    steps: [{ act: () => set.vanish(last) }],
    check: stored => allHeld(set, last, stored),
  };
}

async function allHeld(
  set: SetOnHub,
  names: readonly string[],
  stored: StoredRemovals,
): Promise<string[]> {
  const held = await stored.held();
  const lost = names.filter(name => set.works([name]).length !== 1);
  const loose = set
    .works()
    .filter(({ metadata: { uid = '' } }) => !held.has(uid));
  return [
    ...lost.map(name => `${name} has lost its work`),
    ...loose.map(({ metadata: { name } }) => `${name} is not held`),
  ];
}

/** Held, and then ordered. */
function isHeldAndOrdered({ set, ledger, stored }: Cast): Story {
  return {
    name: 'vanishes, and goes when a person orders it',
    steps: [
      { act: () => set.vanish(set.names) },
      {
        ready: async () => (await allHeld(set, set.names, stored)).length === 0,
        async act() {
          ledger.mayGo(set.works());
          ledger.mustGo(set.works());
          await set.annotate('remove');
        },
      },
    ],
  };
}

/** Argo CD makes all Applications again, while their old works are held or not. */
function isMadeAgain({ set, ledger }: Cast): Story {
  return {
    name: 'vanishes, and is made again',
    steps: [
      { act: () => set.vanish(set.names) },
      {
        // With a finalizer, an Application that is being deleted is there until a controller runs.
        ready: set.isEmpty,
        async act() {
          const old = set.works();
          ledger.mayGo(old, ledger.hasSuccessor);
          ledger.mustGo(old);
          await set.generate(set.names);
        },
      },
    ],
  };
}

/** How an order is given, and what becomes of its set. */
interface OrderPlot {
  readonly isUnlabelledFirst: boolean;
  readonly end: 'none' | 'Orphan' | 'Background';
  /** Whether the order is stored before the set is deleted. */
  readonly waits: boolean;
  /** Whether the set is deleted before the label goes, too. */
  readonly isAtOnce: boolean;
}

/** An order for works that deliver: carried out when the label goes. The set may be deleted right after it. */
function isOrdered(
  release: string,
  cast: Cast,
  plot: Partial<OrderPlot> = {},
): Story {
  const { set, ledger, stored, random, isWatchedAlways } = cast;
  const order: Step = {
    async act() {
      ledger.mayGo(set.works(), DONE[release]);
      await set.annotate(release);
    },
  };
  const unlabel: Step = { act: () => set.label(null) };
  const { isUnlabelledFirst, end, waits, isAtOnce } = {
    isUnlabelledFirst: random() < 0.5,
    end: pick(random, ['none', 'Orphan', 'Background'] as const),
    waits: random() < 0.5,
    isAtOnce: random() < 0.5,
    ...plot,
  };
  let isMissed = false;
  const deleteSet: Step = {
    ready: async () => !waits || (await stored.hasOrder(set.name)),
    async act() {
      // Nobody may have seen an order whose set was deleted while no controller ran.
      isMissed = !isWatchedAlways && !(await stored.hasOrder(set.name));
      if (isMissed && end === 'Background') {
        ledger.mayGo(set.works());
      }
      await set.deleteSet(end as 'Orphan' | 'Background');
    },
  };
  const steps = isUnlabelledFirst ? [unlabel, order] : [order, unlabel];
  if (end !== 'none') {
    steps.splice(isAtOnce ? steps.indexOf(order) + 1 : 2, 0, deleteSet);
  }
  return {
    name: `is ordered: ${release}, ${isUnlabelledFirst ? 'after' : 'before'} its label goes, set deleted: ${end}`,
    steps: [
      ...steps,
      {
        async act() {
          if (!isMissed) {
            ledger.mustGo(set.works());
          }
        },
      },
    ],
  };
}

/** An order that is taken off before the delivery ends does nothing, though the set is deleted after it. */
function isTakenBack(cast: Cast): Story {
  const { set, stored, random, isWatchedAlways, passedSince } = cast;
  const release = pick(random, Object.keys(DONE));
  let works: readonly ManifestWork[] = [];
  let takenBackAt = '';
  const deleteSet: Step = {
    // Nobody can know of an order that was taken back and whose set was deleted while no controller ran.
    ready: async () =>
      isWatchedAlways ||
      (passedSince(takenBackAt) && !(await stored.hasOrder(set.name))),
    act: () => set.deleteSet('Orphan'),
  };
  const losesSet = random() < 0.5;
  return {
    name: `takes back ${release}${losesSet ? ', and is deleted without its Applications' : ''}`,
    steps: [
      {
        async act() {
          works = set.works();
          await set.annotate(release);
        },
      },
      {
        async act() {
          await set.annotate(null);
          takenBackAt = new Date().toISOString();
        },
      },
      ...(losesSet ? [deleteSet] : []),
      { act: () => set.label(null) },
    ],
    check: async () => stayed(works, set),
  };
}

/** What is missing of works that must stay. */
export function stayed(
  works: readonly ManifestWork[],
  set: SetOnHub,
): string[] {
  const now = new Set(set.works().map(({ metadata }) => metadata.uid));
  return works
    .filter(({ metadata }) => !now.has(metadata.uid))
    .map(({ metadata: { name } }) => `${name} is gone`);
}

/** An order is for the works that there were: those that are made later under the same names stay. */
function outlivesItsOrder({ set, ledger }: Cast): Story {
  let old: readonly ManifestWork[] = [];
  let fresh: readonly ManifestWork[] = [];
  return {
    name: 'is delivered again after its order was carried out',
    steps: [
      {
        async act() {
          old = set.works();
          ledger.mayGo(old);
          ledger.mustGo(old);
          await set.annotate('remove');
        },
      },
      { act: () => set.label(null) },
      {
        ready: () => set.works().length === 0,
        act: () => set.label('true'),
      },
      {
        ready: () => set.works().length === set.names.length,
        async act() {
          fresh = set.works();
          await set.label(null);
        },
      },
    ],
    check: async () => stayed(fresh, set),
  };
}

/** The deletion of a set is an order for all of its works. */
function isDeleted({ set, ledger }: Cast): Story {
  return {
    name: 'is deleted',
    steps: [
      {
        async act() {
          ledger.mayGo(set.works());
          ledger.mustGo(set.works());
          await set.deleteSet('Background');
        },
      },
    ],
  };
}

/** Each Application moves to another cluster, one after the other. */
function moves({ set, ledger, random, clusters }: Cast): Story {
  return {
    name: 'moves to other clusters',
    steps: set.names.map(name => ({
      async act() {
        const [work] = set.works([name]);
        const others = clusters.filter(
          each => each !== work.metadata.namespace,
        );
        ledger.mayGo([work], ledger.hasSuccessor);
        ledger.mustGo([work]);
        await set.retarget(name, pick(random, others));
      },
    })),
  };
}

const STORED_FIRST = {
  ...{ isUnlabelledFirst: false, waits: true, isAtOnce: true },
} as const;

const STORIES: readonly ((cast: Cast) => Story)[] = [
  vanishesOverLives,
  vanishesOverLives,
  vanishes,
  vanishes,
  isHeldAndOrdered,
  isMadeAgain,
  cast => isOrdered('remove', cast),
  cast => isOrdered('orphan', cast),
  cast => isOrdered('hand-over', cast),
  // Its works do not name it any more when their label goes.
  cast => isOrdered('remove', cast, { ...STORED_FIRST, end: 'Orphan' }),
  // Its Applications go before they can lose their label.
  cast => isOrdered('orphan', cast, { ...STORED_FIRST, end: 'Background' }),
  isTakenBack,
  isTakenBack,
  outlivesItsOrder,
  isDeleted,
  moves,
];

/** The number of kinds of stories. */
export const KINDS = STORIES.length;

/** The story of that kind. */
export function tellStory(kind: number, cast: Cast): Story {
  return STORIES[kind % KINDS](cast);
}
