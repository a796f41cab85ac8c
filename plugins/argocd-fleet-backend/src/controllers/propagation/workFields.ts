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

/** Which optional ManifestWork fields a hub can store; all, until the hub shows otherwise. */
export interface WorkFields {
  /** The configuration of propagation without what this hub would drop; the same object as long as nothing changes. */
  options(): PropagationOptions;
  /**
   * Reads the hub's definition of ManifestWork, unless it was read minutes ago and lacked nothing. If that fails, what `compareStored` has found remains. Never rejects.
   */
  refresh(signal: AbortSignal, logger: LoggerService): Promise<void>;
  /** Compares a written work with what the hub stored of it. */
  compareStored(written: ManifestWork, stored: ManifestWork): void;
  /** Which configured fields the hub is too old for. */
  findings(): readonly Finding[];
}

/** A field that was not stored is left out for so long, then tried again: the hub may have been upgraded. */
const NOT_STORED_FOR_MS = 60 * 60 * 1000;

/**
 * A definition that lacks nothing is read again after so long: a field that the hub does not store after all is noticed
 * with the next write.
 */
const READ_AGAIN_AFTER_MS = 10 * 60 * 1000;

/** Creates the fields of one hub. */
export function createWorkFields(given: {
  readonly hub: string;
  readonly client: KubernetesClient;
  readonly propagation: PropagationOptions;
}): WorkFields {
  const { hub, client, propagation } = given;
  const definition = resourceDefinition(FLEET_RESOURCES.works);
  let version: string | undefined;
  let readAt = -Infinity;
  let notDefined: readonly NewerField[] = [];
  /** Until when each is assumed not to be stored, in milliseconds since the epoch. */
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
    const assumed = [...notStored].filter(([, until]) => until > now);
    return new Set([...notDefined, ...assumed.map(([field]) => field)]);
  }

  function setDefined(
    found: string | undefined,
    fields: readonly NewerField[],
  ) {
    if (found !== version) {
      notStored.clear();
    }
    version = found;
    notDefined = fields;
  }

  return {
    options,
    async refresh(signal, logger) {
      if (
        notDefined.length === 0 &&
        performance.now() < readAt + READ_AGAIN_AFTER_MS
      ) {
        return;
      }
      try {
        const { resource, name } = definition;
        const crd = await client.get(resource, { name }, { signal });
        setDefined(crd.metadata.resourceVersion, fieldsNotDefined(crd));
        readAt = performance.now();
      } catch (error) {
        if (isKubernetesError(error, 'forbidden', 'notFound')) {
          notDefined = [];
          readAt = performance.now();
        }
        logger.debug(
          `The definition of ManifestWork cannot be read, so its fields are checked when one is written: ${errorMessage(error)}`,
        );
      }
    },
    compareStored(written, stored) {
      for (const field of fieldsNotStored(written, stored)) {
        notStored.set(field, Date.now() + NOT_STORED_FOR_MS);
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
    consequences: fields.map(({ consequence }) => consequence),
    since: fields
      .map(({ since }) => since)
      .sort()
      .at(-1)!,
    options: fields.map(({ option }) => option),
  });
}
