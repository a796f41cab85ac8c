import type { LoggerService } from '@backstage/backend-plugin-api';
import type {
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES, resourceDefinition } from '../../fleet';
import {
  errorMessage,
  isKubernetesError,
  type KubernetesClient,
} from '../../kubernetes/client';
import { hubFindings } from '../../model/findings';
import {
  fieldsNotDefined,
  fieldsNotStored,
  NEWER_FIELDS,
  withoutFields,
  type NewerField,
  type PropagationOptions,
} from '../../model/manifestwork';

/** What a hub's ManifestWork can hold of what propagation would write; all, until the hub shows otherwise. */
export interface WorkFields {
  /** The configuration of propagation, less what this hub would drop; the same object as long as it is the same. */
  options(): PropagationOptions;
  /** Asks the hub for its definition of ManifestWork. Where that cannot be had, what `noticed` learns remains. Never throws. */
  refresh(signal: AbortSignal, logger: LoggerService): Promise<void>;
  /** Compares what was written with what the hub stored. */
  noticed(written: ManifestWork, stored: ManifestWork): void;
  /** What the hub is too old for, and is asked for. */
  findings(): readonly Finding[];
}

/** What an answer has shown is believed so long, then tried again: the hub may have been upgraded. */
const BELIEVED_FOR_MS = 60 * 60 * 1000;

/** Creates what is known of one hub's works. */
export function createWorkFields(given: {
  readonly hub: string;
  readonly client: KubernetesClient;
  readonly propagation: PropagationOptions;
}): WorkFields {
  const { hub, client, propagation } = given;
  const definition = resourceDefinition(FLEET_RESOURCES.works);
  let version: string | undefined;
  let notDefined: readonly NewerField[] = [];
  /** Until when each is believed not to be stored, in milliseconds since the epoch. */
  const notStored = new Map<NewerField, number>();

  let current = { lacking: '', options: propagation };

  function options(): PropagationOptions {
    if (notDefined.length === 0 && notStored.size === 0) {
      return propagation;
    }
    const fields = missing();
    const lacking = [...fields].sort().join();
    if (lacking !== current.lacking) {
      current = { lacking, options: withoutFields(propagation, fields) };
    }
    return current.options;
  }

  function missing(): ReadonlySet<NewerField> {
    const now = Date.now();
    const believed = [...notStored].filter(([, until]) => until > now);
    return new Set([...notDefined, ...believed.map(([field]) => field)]);
  }

  function learn(found: string | undefined, fields: readonly NewerField[]) {
    if (found !== version) {
      notStored.clear();
    }
    version = found;
    notDefined = fields;
  }

  return {
    options,
    async refresh(signal, logger) {
      try {
        const { resource, name } = definition;
        const crd = await client.get(resource, { name }, { signal });
        learn(crd.metadata.resourceVersion, fieldsNotDefined(crd));
      } catch (error) {
        if (isKubernetesError(error, 'forbidden', 'notFound')) {
          notDefined = [];
        }
        logger.debug(
          `Whether the hub knows all fields of a ManifestWork shows when one is written: ${errorMessage(error)}`,
        );
      }
    },
    noticed(written, stored) {
      for (const field of fieldsNotStored(written, stored)) {
        notStored.set(field, Date.now() + BELIEVED_FOR_MS);
      }
    },
    findings() {
      const lacking = [...missing()].filter(
        field => propagation[NEWER_FIELDS[field].option],
      );
      return lacking.length > 0 ? [olderHub(hub, lacking)] : [];
    },
  };
}

function olderHub(hub: string, lacking: readonly NewerField[]): Finding {
  const fields = lacking.map(field => NEWER_FIELDS[field]);
  return hubFindings.olderHub(hub, {
    fields: lacking,
    consequences: fields.map(({ brings }) => brings),
    since: fields
      .map(({ since }) => since)
      .sort()
      .at(-1)!,
    options: fields.map(({ option }) => option),
  });
}
