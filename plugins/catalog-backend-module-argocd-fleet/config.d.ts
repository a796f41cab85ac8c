import type { SchedulerServiceTaskScheduleDefinitionConfig } from '@backstage/backend-plugin-api';

export interface Config {
  catalog?: {
    providers?: {
      /** Managed clusters and ApplicationSets as catalog entities. */
      argocdFleet?: {
        /**
         * Entity reference of the owner of every cluster, and of every ApplicationSet that names no owner.
         * Default `group:default/platform`.
         */
        defaultOwner?: string;
        /**
         * How often the API is asked for changes. Default: every 10 s, with a timeout of 30 s. Everything is compared
         * once an hour.
         */
        schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
      };
    };
  };
}
