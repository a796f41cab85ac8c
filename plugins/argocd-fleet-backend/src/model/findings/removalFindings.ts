import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { shellWord } from './shellWord';

const RELEASE_COMMAND = (kind: string, namespace: string, name: string) =>
  `kubectl annotate ${kind} ${shellWord(name)} -n ${shellWord(namespace)} argocd-fleet/release=`;

/** `<namespace>/<name>`. */
function splitKey(key: string): [namespace: string, name: string] {
  const [namespace = '', name = ''] = key.split('/');
  return [namespace, name];
}

/** ManifestWorks of one cluster. */
interface WorksOfCluster {
  readonly namespace: string;
  readonly names: readonly string[];
}

/** Works that a command names. */
const NAMED = 20;

function worksOf({ object }: Details): WorksOfCluster | undefined {
  return object?.kind === 'ManifestWork'
    ? { namespace: object.namespace ?? '', names: [object.name] }
    : undefined;
}

/** Shows the works, or all of the hub where they are not known. */
function showCommand(works: WorksOfCluster | undefined): string {
  return works
    ? `kubectl get manifestworks.work.open-cluster-management.io ${works.names.slice(0, NAMED).map(shellWord).join(' ')} -n ${shellWord(works.namespace)} -o yaml`
    : 'kubectl get manifestworks.work.open-cluster-management.io --all-namespaces -l apps.open-cluster-management.io/pull-to-ocm-managed-cluster=true';
}

/** What a deletion of a ManifestWork waits for, in the words of the message. */
const AWAITED = {
  successor:
    'its ApplicationSet still generates the Application; if the Application is not there again within five minutes, the ManifestWork is deleted',
  applied:
    'the agent has to report first that it has applied the ManifestWork of the new Application, so that the cluster always runs one of the two',
  synced:
    'the Application has to be synced first where it is delivered now, so that it always runs somewhere',
} as const;

/** What a person can order for works that deliver no longer, by the annotation of `object`. */
function releaseFix({ object }: Details) {
  const isKnown = ['ApplicationSet', 'Application'].includes(
    object?.kind ?? '',
  );
  const {
    kind,
    namespace = '',
    name,
  } = isKnown
    ? object!
    : { kind: 'ApplicationSet', namespace: 'NAMESPACE', name: 'NAME' };
  return {
    description:
      'If this was a mistake, restore the label apps.open-cluster-management.io/pull-to-ocm-managed-cluster: "true" in the template, and delivery goes on. Otherwise decide what becomes of the clusters by an annotation of the ApplicationSet, or of the Application if no ApplicationSet generates it: orphan keeps the Application and its workload there (for argocd-agent), hand-over keeps the workload only (for the push model), remove deletes both. The annotation of an ApplicationSet counts for all of its ManifestWorks that no longer deliver, and for an hour: what has not begun by then needs it taken off and set again.',
    command: `${RELEASE_COMMAND(`${kind.toLowerCase()}s.argoproj.io`, namespace, name)}orphan`,
  };
}

/** 12x: ManifestWorks that no longer deliver their Application, and whether they are deleted. */
export const removalFindings = {
  noLongerPullModel: defineFinding(
    'AFC-121',
    'warning',
    (clusters: string, details: Details = {}) => ({
      title: `No longer pull-model; what runs on ${clusters} stays`,
      message: `The pull label is gone, so the Application is no longer delivered to ${clusters} by its ManifestWork. The ManifestWork stays, and with it the Application and its workload on the cluster. After a minute it is frozen (ReadOnly), so that its agent does not make again what somebody removes there.`,
      fix: releaseFix(details),
      ...details,
    }),
  ),

  frozenByOthers: defineFinding(
    'AFC-122',
    'warning',
    (clusters: string, details: Details = {}) => ({
      title: `Frozen ManifestWork on ${clusters} stays`,
      message: `Another controller, probably RHACM, set the ManifestWork on ${clusters} to ReadOnly, and its Application is gone from the hub or delivered otherwise. To delete it would delete the Application on the cluster and its workload, so it stays until a person decides.`,
      fix: releaseFix(details),
      ...details,
    }),
  ),

  waitsForSuccessor: defineFinding(
    'AFC-123',
    'info',
    (
      cluster: string,
      awaited: keyof typeof AWAITED,
      details: Details = {},
    ) => ({
      title: `The old ManifestWork on ${cluster} waits to be deleted`,
      message: `The ManifestWork no longer delivers its Application. It is not deleted yet: ${AWAITED[awaited] ?? ''}.`,
      fix: {
        description:
          'Usually this takes seconds to minutes. If it lasts, see what the new ManifestWork and its cluster report on the page of the Application; a cluster that is disconnected has to connect first.',
      },
      ...details,
    }),
  ),

  beingReleased: defineFinding(
    'AFC-124',
    'info',
    (cluster: string, details: Details = {}) => ({
      title: `The ManifestWork on ${cluster} is being released`,
      message: `As the annotation argocd-fleet/release orders, the agent of ${cluster} gives up the Application, or its finalizers, before the ManifestWork is deleted.`,
      fix: {
        description:
          'The agent has to be connected. With hand-over, the Application on the cluster must lose all of its finalizers: if others than Argo CD’s remain, or an earlier ManifestWork set them with another strategy, remove them there:',
        command: `kubectl get manifestworks.work.open-cluster-management.io ${shellWord(details.object?.name ?? '')} -n ${shellWord(details.object?.namespace ?? '')} -o yaml`,
      },
      ...details,
    }),
  ),

  deletionWaits: defineFinding(
    'AFC-125',
    'info',
    (cluster: string, details: Details = {}) => ({
      title: `The ManifestWork on ${cluster} is about to be deleted`,
      message:
        'Its Application is gone from the hub. The deletion waits some seconds for others of the same cause: if they are all of an ApplicationSet or most of the hub, they are held.',
      ...details,
    }),
  ),

  deletionsHeld: defineFinding(
    'AFC-126',
    'error',
    (
      {
        hub,
        applicationSet,
        count,
        heldFor,
      }: {
        readonly hub: string;
        /** `<namespace>/<name>`; undefined where no set made the Applications. */
        readonly applicationSet?: string;
        readonly count: number;
        readonly heldFor: 'set' | 'hub';
      },
      details: Details = {},
    ) => {
      const [namespace, name] = splitKey(applicationSet ?? '');
      return {
        title:
          count === 1 ? '1 deletion is held' : `${count} deletions are held`,
        message: `${
          heldFor === 'hub'
            ? `More than half of all Applications of hub "${hub}" vanished within minutes`
            : `All Applications of the ApplicationSet ${applicationSet} vanished from hub "${hub}", and nobody deleted the ApplicationSet`
        }. Usually a Placement became empty, a generator gave no result, or the hub was restored and its owners are not known. To delete the ManifestWorks (${count}) would delete these Applications and their workloads on the clusters, so they stay until a person decides. Where the Application is gone from the hub, no table has a row of it: the ManifestWorks are named here. New Applications are delivered as always.`,
        fix: applicationSet
          ? {
              description:
                'If this was a mistake, restore the Placement or the generator: the Applications come back and go on. If they are to go, order it on the ApplicationSet; if that is gone too, set argocdFleet.hubs[].releaseHeldBefore to the present time:',
              command: `${RELEASE_COMMAND('applicationsets.argoproj.io', namespace, name)}remove`,
            }
          : {
              description:
                'If this was a mistake, create the Applications again. If they are to go, release everything that the hub holds now in the configuration, with the present time:',
              command:
                'argocdFleet:\n  hubs:\n    - name: NAME\n      releaseHeldBefore: "2026-01-31T12:00:00Z"',
            },
        ...(applicationSet && {
          object: { kind: 'ApplicationSet', namespace, name },
        }),
        ...details,
      };
    },
  ),

  beingDeleted: defineFinding(
    'AFC-127',
    'info',
    (clusters: string, details: Details = {}, works?: WorksOfCluster) => ({
      title: `ManifestWork on ${clusters} is being deleted`,
      message: `The Application is deleted on the hub, and its ManifestWork on ${clusters} is being deleted: until the agent has completed that, the workload may still run there.`,
      fix: {
        description:
          'Usually this takes seconds. An agent that is away completes it once it is connected. If it is connected, finalizers of objects on the cluster keep them; the work says what it waits for:',
        command: showCommand(works ?? worksOf(details)),
      },
      ...details,
    }),
  ),

  releaseWithoutEffect: defineFinding(
    'AFC-128',
    'warning',
    (value: string, reason: 'value' | 'nothing', details: Details = {}) => ({
      title: 'The annotation argocd-fleet/release has no effect',
      message:
        reason === 'value'
          ? `“${value}” is none of orphan, hand-over and remove.`
          : `When it was set (${value}), the ApplicationSet had no ManifestWorks. It does nothing to those that came later.`,
      fix: {
        description:
          'Remove the annotation. To release ManifestWorks that exist now, set it again after that.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'12'>;
