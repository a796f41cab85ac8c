import {
  MANAGED_BY,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { flatText } from '../../kubernetes/informer';
import {
  isDigest,
  shownDigest,
  type ManifestStatus,
  type StoredCondition,
} from '../../model/feedback';
import { isRecord } from '../../model/json';
import { mapTexts, shownText } from '../../model/text';
import { specWriterAfter, type SpecWriter } from './specWriter';
import { managedFieldsOf, transformMetadata } from './transformObject';

type Status = NonNullable<ManifestWork['status']>;

interface StoredManifestStatus extends ManifestStatus {
  readonly conditions?: readonly StoredCondition[];
}

/** A ManifestWork as the cache stores it. */
export interface StoredManifestWork extends ManifestWork {
  /** Who wrote the spec after us. */
  readonly specWriter?: SpecWriter;
  readonly status?: Omit<Status, 'resourceStatus'> & {
    readonly resourceStatus?: {
      readonly manifests?: readonly StoredManifestStatus[];
    };
  };
}

/** A message of fewer lines is kept as it is. */
const MIN_LINES = 4;

/**
 * Leaves out what no reader uses of a ManifestWork: of its managed fields only who wrote the spec after us is read, of
 * its own conditions only `Applied`; its other conditions repeat those of its manifests. What the agent wrote is kept
 * as it is shown. The ManifestWork given is not changed.
 */
export function transformWork(work: ManifestWork): StoredManifestWork {
  const specWriter = specWriterAfter(
    MANAGED_BY,
    managedFieldsOf(work.metadata) ?? [],
  );
  return {
    ...work,
    metadata: transformMetadata(work.metadata),
    ...(specWriter && { specWriter }),
    status: transformStatus(work.status),
  };
}

function transformStatus(
  status: Status | undefined,
): StoredManifestWork['status'] {
  if (!status) {
    return undefined;
  }
  const { conditions, resourceStatus } = status;
  return {
    ...status,
    ...(Array.isArray(conditions) && {
      conditions: mapTexts(
        conditions.filter(
          condition => isRecord(condition) && condition.type === 'Applied',
        ),
        shownText,
      ),
    }),
    ...(isRecord(resourceStatus) &&
      Array.isArray(resourceStatus.manifests) && {
        resourceStatus: {
          manifests: resourceStatus.manifests.map(transformManifestStatus),
        },
      }),
  };
}

function transformManifestStatus(
  manifest: ManifestStatus,
): StoredManifestStatus {
  if (!isRecord(manifest)) {
    return manifest;
  }
  const { conditions, statusFeedback } = manifest;
  return {
    ...manifest,
    ...(Array.isArray(conditions) && { conditions: conditions.map(shown) }),
    ...(statusFeedback && {
      statusFeedback: mapTexts(statusFeedback, shownFeedback),
    }),
  };
}

/** Feedback may be a list of texts as JSON. */
function shownFeedback(value: string): string {
  const whole = shownText(value);
  // Nearly always nothing is to be replaced, and parsing takes longer than all the rest. JSON can escape any character.
  if (!value.startsWith('[') || (whole === value && !value.includes('\\u'))) {
    return whole;
  }
  try {
    return JSON.stringify(mapTexts(JSON.parse(value), shownText));
  } catch {
    // No JSON, but a text that begins like it.
    return whole;
  }
}

/** Long messages differ from work to work by a line or two: the other lines can be the same strings in memory. */
function shown(condition: StoredCondition): StoredCondition {
  if (!isRecord(condition) || typeof condition.message !== 'string') {
    return condition;
  }
  const message = isDigest(condition.message)
    ? shownDigest(condition.message)
    : shownText(condition.message);
  const lines = message.split('\n');
  return lines.length < MIN_LINES
    ? { ...condition, message }
    : {
        type: condition.type,
        status: condition.status,
        reason: condition.reason,
        observedGeneration: condition.observedGeneration,
        lastTransitionTime: condition.lastTransitionTime,
        messageLines: lines.map(flatText),
      };
}
