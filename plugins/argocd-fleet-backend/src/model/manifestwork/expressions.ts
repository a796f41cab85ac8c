import type {
  ManifestConfig,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { configKey } from '../delivery';
import { manifestWorkPatch } from './manifestWorkPatch';
import type { OneShotFields } from './oneShotFieldsOfWork';

/**
 * Whether a work would be the desired one if its condition rules had the desired CEL expressions: after an upgrade that
 * is every work of a hub.
 */
export function differsOnlyInExpressions(
  existing: ManifestWork,
  desired: ManifestWork,
  oneShot?: OneShotFields,
): boolean {
  // Reversed: the first of several with one key is meant.
  const configs = new Map(
    (existing.spec.manifestConfigs ?? [])
      .toReversed()
      .map(config => [configKey(config), config]),
  );
  const sameExpressions: ManifestWork = {
    ...desired,
    spec: {
      ...desired.spec,
      manifestConfigs: desired.spec.manifestConfigs?.map(config =>
        withExpressionsOf(configs.get(configKey(config)), config),
      ),
    },
  };
  return manifestWorkPatch(existing, sameExpressions, oneShot) === undefined;
}

function withExpressionsOf(
  existing: ManifestConfig | undefined,
  config: ManifestConfig,
): ManifestConfig {
  return {
    ...config,
    conditionRules: config.conditionRules?.map(rule => {
      const present = existing?.conditionRules?.find(
        ({ condition }) => condition === rule.condition,
      );
      // A rule without expressions reports nothing: it must not wait.
      return present?.messageExpression && present.celExpressions?.length
        ? {
            ...rule,
            celExpressions: present.celExpressions,
            messageExpression: present.messageExpression,
          }
        : rule;
    }),
  };
}
