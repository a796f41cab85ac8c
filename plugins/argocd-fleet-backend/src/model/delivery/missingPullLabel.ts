import {
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  parseGoBool,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
} from 'backstage-plugin-argocd-fleet-common';

/** What an Application, or the template of an ApplicationSet, has of the pull model, though it is not of that model. */
export interface MissingPullLabel {
  /** The annotations by which the pull model is recognised; at least one. */
  readonly annotations: readonly string[];
  /** The value of its pull label; undefined where it has no such label. */
  readonly label: string | undefined;
  /** The target cluster that it names. */
  readonly target: string | undefined;
  /** The hub's Argo CD does not reconcile it either. */
  readonly skipped: boolean;
}

/** Only the pull model reads these. */
const PULL_ANNOTATIONS = [MANAGED_CLUSTER_ANNOTATION, APP_NAMESPACE_ANNOTATION];

/** No booleans of Go; but whoever writes one of these means that the pull model is off. */
const ON_PURPOSE = ['no', 'off'];

/** Whether something was meant for the pull model and lacks the label, or has one with a value that is not true. */
export function missingPullLabel({
  labels,
  annotations = {},
}: {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}): MissingPullLabel | undefined {
  const label = labels?.[PULL_LABEL];
  const found = PULL_ANNOTATIONS.filter(key => annotations[key]?.trim());
  const isMeant =
    label === undefined ||
    (parseGoBool(label) === undefined &&
      !ON_PURPOSE.includes(label.toLowerCase()));
  return isMeant && found.length > 0
    ? {
        annotations: found,
        label,
        target: annotations[MANAGED_CLUSTER_ANNOTATION]?.trim() || undefined,
        skipped: parseGoBool(annotations[SKIP_RECONCILE_ANNOTATION]) === true,
      }
    : undefined;
}
