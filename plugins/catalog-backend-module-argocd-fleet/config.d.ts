import type { SchedulerServiceTaskScheduleDefinitionConfig } from '@backstage/backend-plugin-api';

export interface Config {
  catalog?: {
    providers?: {
      /** Managed clusters and ApplicationSets as catalog entities. */
      argocdFleet?: {
        /**
         * Owner of every cluster, and of every ApplicationSet that names none: an entity reference.
         * Default `group:default/platform`.
         */
        defaultOwner?: string;
        /** How often the entities are brought up to date. Default: every 10 s, at most 30 s long. */
        schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
      };
    };
  };
}
