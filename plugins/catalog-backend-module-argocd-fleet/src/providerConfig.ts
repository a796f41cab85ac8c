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
  };
}
