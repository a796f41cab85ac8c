import type {
  ManifestConfig,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';
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
  const configs = existing.spec.manifestConfigs ?? [];
  const sameExpressions: ManifestWork = {
    ...desired,
    spec: {
      ...desired.spec,
      manifestConfigs: desired.spec.manifestConfigs?.map(config =>
        withExpressionsOf(
          configs.find(({ resourceIdentifier }) =>
            sameJson(resourceIdentifier, config.resourceIdentifier),
          ),
          config,
        ),
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
