import { FleetContext } from '../hubView';
import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { jsonEqual } from '../kubernetes/json';
import { objectKey } from '../kubernetes/objects';
import { applications, applicationSets } from '../kubernetes/resources';
import { createReconcileQueue } from '../runtime/reconcileQueue';
import {
  applicationPatch,
  ownedBy,
  owningApplicationSet,
} from './applicationDiff';
import {
  applicationSetConditions,
  applicationSetResources,
  Outcome,
} from './applicationSetStatus';
import { argoClusters } from './clusterDecisions';
import {
  generateApplications,
  RESOURCES_FINALIZER,
} from './generateApplications';
import { validateApplications } from './validateApplications';

const FIELD_MANAGER = 'argocd-applicationset-controller';
// Progress of many Applications at once is told in one write.
const STATUS_DELAY_MS = 500;

/** Plays Argo CD's ApplicationSet controller: ApplicationSets become Applications. */
export function startApplicationSetController(
  context: FleetContext & { namespaces: readonly string[] },
): void {
  const { client, hub, clock, namespaces } = context;
  const setKey = (application: Application) => {
    const name = owningApplicationSet(application);
    return name ? `${application.metadata.namespace}/${name}` : undefined;
  };
  const applicationsOf = hub.applications.index(application => {
    const key = setKey(application);
    return key ? [key] : [];
  });

  async function reconcile(key: string) {
    const set = hub.applicationSets.get(key);
    if (!set || !namespaces.includes(set.metadata.namespace ?? '')) {
      return;
    }
    if (set.metadata.deletionTimestamp) {
      await releaseFinalizer(set);
      return;
    }
    const outcome = await bringApplicationsAbout(set, applicationsOf(key));
    await writeStatus(set, outcome, applicationsOf(key));
  }

  async function bringApplicationsAbout(
    set: ApplicationSet,
    existing: Application[],
  ): Promise<Outcome> {
    const clusters = argoClusters(hub.clusterSecrets.list());
    const generated = generateApplications(set, {
      clusters,
      configMaps: hub.configMaps.list(),
      placementDecisions: hub.placementDecisions
        .list()
        .filter(({ metadata }) => metadata.namespace === namespaces[0]),
    });
    if (generated.error) {
      return { parametersGenerated: false, error: generated.error };
    }
    const { valid, mistakes } = validateApplications(
      set.metadata.name,
      generated.applications,
      {
        clusters,
        projects: new Set(
          hub.appProjects.list().map(({ metadata }) => metadata.name),
        ),
      },
    );
    const policy = set.spec?.syncPolicy?.applicationsSync ?? 'sync';
    for (const application of valid) {
      await createOrUpdate(set, application, policy);
    }
    if (policy === 'sync' || policy === 'create-delete') {
      const wanted = new Set(generated.applications.map(objectKey));
      for (const application of existing) {
        if (
          !wanted.has(objectKey(application)) &&
          !application.metadata.deletionTimestamp
        ) {
          await client.delete(applications, application.metadata);
        }
      }
    }
    const last = [...mistakes.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    if (last.length === 0) {
      return { parametersGenerated: true };
    }
    const others = last.length > 1 ? ` (and ${last.length - 1} more)` : '';
    return {
      parametersGenerated: true,
      error: {
        reason: 'ApplicationValidationError',
        message: `${last[last.length - 1][1]}${others}`,
      },
    };
  }

  async function createOrUpdate(
    set: ApplicationSet,
    application: Application,
    policy: string,
  ) {
    const options = { fieldManager: FIELD_MANAGER };
    const live = hub.applications.get(objectKey(application));
    if (!live) {
      const metadata = {
        ...application.metadata,
        ownerReferences: [ownedBy(set)],
      };
      await client.create(applications, { ...application, metadata }, options);
      return;
    }
    const updates = policy === 'sync' || policy === 'create-update';
    const patch = updates && applicationPatch(live, application, set);
    if (patch && !live.metadata.deletionTimestamp) {
      await client.patch(applications, application.metadata, patch, options);
    }
  }

  async function writeStatus(
    set: ApplicationSet,
    outcome: Outcome,
    existing: Application[],
  ) {
    const resources = applicationSetResources(existing);
    const status = {
      ...set.status,
      conditions: applicationSetConditions(set, outcome, clock.now()),
      resources,
      resourcesCount: resources.length,
    };
    if (!jsonEqual(status, set.status)) {
      await client.patch(
        applicationSets,
        set.metadata,
        { status },
        { fieldManager: FIELD_MANAGER, subresource: 'status' },
      );
    }
  }

  async function releaseFinalizer({ metadata }: ApplicationSet) {
    const { finalizers = [], resourceVersion } = metadata;
    if (finalizers.includes(RESOURCES_FINALIZER)) {
      await client.patch(applicationSets, metadata, {
        metadata: {
          resourceVersion,
          finalizers: finalizers.filter(name => name !== RESOURCES_FINALIZER),
        },
      });
    }
  }

  const queue = createReconcileQueue({
    name: 'ApplicationSet',
    reconcile,
    opensAfter: hub.listed(),
    ...context,
  });
  const everySet = () =>
    hub.applicationSets.list().forEach(set => queue.add(objectKey(set)));

  hub.applicationSets.onChange((now, before) => {
    // Its own status writes are no reason to look at a set again.
    const written = (set: typeof now) => [
      set?.spec,
      set?.metadata.uid,
      set?.metadata.deletionTimestamp,
    ];
    if (now && !jsonEqual(written(now), written(before))) {
      queue.add(objectKey(now));
    }
  });
  hub.applications.onChange((now, before) => {
    const key = setKey(now ?? (before as Application));
    if (!key) {
      return;
    }
    const written = (application: typeof now) => [
      application?.spec,
      application?.metadata.labels,
      application?.metadata.annotations,
      application?.metadata.finalizers,
      application?.metadata.ownerReferences,
    ];
    if (!now || !before || !jsonEqual(written(now), written(before))) {
      queue.add(key);
    } else if (
      now.status?.sync?.status !== before.status?.sync?.status ||
      now.status?.health?.status !== before.status?.health?.status
    ) {
      queue.addAfter(key, STATUS_DELAY_MS);
    }
  });
  [
    hub.placementDecisions,
    hub.clusterSecrets,
    hub.configMaps,
    hub.appProjects,
  ].forEach(collection => collection.onChange(everySet));
}
