import type {
  ArgoApplication,
  ArgoApplicationSet,
  ArgoApplicationSpec,
  ArgoSource,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetResourceRef } from 'backstage-plugin-argocd-fleet-node';
import {
  isOwnedBy,
  payloadChanged,
  placeChanged,
  type FleetCache,
  type FleetEvent,
} from '../fleet';
import { objectKey } from '../kubernetes/client';
import { owningApplicationSet } from '../model/delivery';
import { isRecord } from '../model/json';
import {
  applicationTerm,
  createLinkableSets,
  type ApplicationFacts,
  type LinkHub,
  type SetFacts,
} from '../model/links';

/** A hub whose ApplicationSets entities of the catalog can be linked to. */
export interface FleetLinkHub extends LinkHub {
  /**
   * Reads what has changed since the last time, one ApplicationSet at each step.
   * @param terms - those by which it was or is found are added to these
   */
  refresh(terms: Set<string>): Iterable<void>;
}

/** Creates the links' view of a hub; `refresh` comes before each use. */
export function createLinkHub(options: {
  readonly name: string;
  readonly instances: readonly string[];
  readonly cache: FleetCache;
}): FleetLinkHub {
  const { name: hub, instances, cache } = options;
  const sets = createLinkableSets();
  /** Keys of ApplicationSets. */
  const changed = new Set<string>(cache.applicationSets.keys());
  /** Names of Applications that appeared, changed or are gone. */
  const changedNames = new Set<string>();

  cache.onChange(event => note(event));

  function note(event: FleetEvent) {
    if (event.resource === 'applicationSets') {
      changed.add(event.key);
    } else if (
      event.resource === 'applications' &&
      (placeChanged(event) || payloadChanged(event))
    ) {
      for (const application of [event.before, event.after]) {
        const owner = application && owningApplicationSet(application);
        if (owner) {
          changed.add(objectKey(owner));
          changedNames.add(application.metadata.name);
        }
      }
    }
  }

  function factsOf(key: string, set: ArgoApplicationSet): SetFacts {
    const { namespace = '', name, labels = {} } = set.metadata;
    const ref = { namespace, name };
    const applications = cache.applications
      .by('applicationSet', key)
      .filter(application => isOwnedBy(application, set));
    return {
      ref,
      labels,
      entityRef: applicationSetResourceRef({ hub, ...ref }).toLowerCase(),
      sources: sourcesOf(set, applications),
      applications: distinctFacts(applications),
    };
  }

  return {
    name: hub,
    instances,
    sets,
    // While a hub is out of reach or listed anew, nobody knows what it lacks.
    get listed() {
      return cache.unsyncedReasons(['applicationSets']).length === 0;
    },
    applicationsNamed(name) {
      const found: {
        applicationSet: NamespacedName;
        facts: ApplicationFacts;
      }[] = [];
      // An ApplicationSet's Applications are in its own namespace.
      for (const namespace of sets.namespaces()) {
        const application = cache.applications.get(
          objectKey({ namespace, name }),
        );
        const owner = application && owningApplicationSet(application);
        const set = owner && cache.applicationSets.get(objectKey(owner));
        if (set && isOwnedBy(application, set)) {
          found.push({
            applicationSet: owner,
            facts: applicationFacts(application),
          });
        }
      }
      return found;
    },
    *refresh(terms) {
      changedNames.forEach(name => terms.add(applicationTerm(name)));
      changedNames.clear();
      // What changes meanwhile waits for the next time, or this one would not end on a busy hub.
      for (const key of [...changed]) {
        if (!changed.delete(key)) {
          continue;
        }
        const set = cache.applicationSets.get(key);
        if ((set === undefined) !== (sets.get(key) === undefined)) {
          // Its Applications link to it, and say nothing of it being there.
          for (const { metadata } of cache.applications.by(
            'applicationSet',
            key,
          )) {
            terms.add(applicationTerm(metadata.name));
          }
        }
        const changedBy = set
          ? sets.set(key, factsOf(key, set))
          : sets.delete(key);
        changedBy.forEach(term => terms.add(term));
        yield;
      }
    },
  };
}

const NO_LABELS: ApplicationFacts['labels'] = {};

function applicationFacts({
  metadata: { namespace = '', labels = NO_LABELS },
  spec,
}: ArgoApplication): ApplicationFacts {
  // Argo CD reads an empty project as the default one.
  return { namespace, labels, project: spec.project || 'default' };
}

/** Most Applications of an ApplicationSet have the same labels: the cache keeps equal ones once. */
function distinctFacts(
  applications: readonly ArgoApplication[],
): ApplicationFacts[] {
  const byLabels = new Map<object, Map<string, ApplicationFacts>>();
  for (const application of applications) {
    const facts = applicationFacts(application);
    const byProject = byLabels.get(facts.labels) ?? new Map();
    byProject.set(facts.project, facts);
    byLabels.set(facts.labels, byProject);
  }
  return [...byLabels.values()].flatMap(byProject => [...byProject.values()]);
}

const sourceKey = ({ repoURL, path, chart, ref, targetRevision }: ArgoSource) =>
  JSON.stringify([repoURL, path, chart, ref, targetRevision]);

/** The sources of the template, and those of Applications, where placeholders have values. */
function sourcesOf(
  { spec }: ArgoApplicationSet,
  applications: readonly ArgoApplication[],
): ArgoSource[] {
  const template = specSources(spec?.template?.spec);
  const distinct = new Set(
    template.filter(source => !Object.values(source).join().includes('{{')),
  );
  for (const application of applications) {
    specSources(application.spec).forEach(source => distinct.add(source));
  }
  // Equal ones are often one object in the cache, and need not be.
  return [
    ...new Map(
      Array.from(distinct, source => [sourceKey(source), source]),
    ).values(),
  ];
}

/** With a source hydrator, the source that people write. */
function specSources(spec: ArgoApplicationSpec | undefined): ArgoSource[] {
  const { source, sources, sourceHydrator } = spec ?? {};
  const dry = isRecord(sourceHydrator) ? sourceHydrator.drySource : undefined;
  const written = sources?.length ? sources : [dry ?? source];
  return written.filter(
    (each): each is ArgoSource =>
      isRecord(each) && typeof each.repoURL === 'string',
  );
}
