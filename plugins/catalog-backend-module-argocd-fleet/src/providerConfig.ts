import {
  readSchedulerServiceTaskScheduleDefinitionFromConfig,
  type RootConfigService,
  type SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import { InputError } from '@backstage/errors';
import { parseOwner } from './entityFields';

const KEY = 'catalog.providers.argocdFleet';

/** The module's configuration with defaults applied. */
export interface FleetProviderConfig {
  readonly defaultOwner: string;
  readonly schedule: SchedulerServiceTaskScheduleDefinition;
  /** Names in `argocdFleet.hubs`; empty when the argocd-fleet backend has a configuration of its own. */
  readonly hubNames: readonly string[];
}

/** @throws InputError when the default owner is not an entity reference */
export function readFleetProviderConfig(
  config: RootConfigService,
): FleetProviderConfig {
  const owner =
    config.getOptionalString(`${KEY}.defaultOwner`) ?? 'group:default/platform';
  const defaultOwner = parseOwner(owner);
  if (!defaultOwner) {
    throw new InputError(
      `${KEY}.defaultOwner is ${JSON.stringify(
        owner,
      )}, which is not an entity reference; write it like group:default/platform`,
    );
  }
  const schedule = config.getOptionalConfig(`${KEY}.schedule`);
  return {
    defaultOwner,
    schedule: schedule
      ? readSchedulerServiceTaskScheduleDefinitionFromConfig(schedule)
      : { frequency: { seconds: 10 }, timeout: { seconds: 30 } },
    hubNames: (config.getOptionalConfigArray('argocdFleet.hubs') ?? []).map(
      hub => hub.getString('name'),
    ),
  };
}
