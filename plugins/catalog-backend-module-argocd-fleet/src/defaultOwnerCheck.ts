import type {
  AuthService,
  LoggerService,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import type { CatalogService } from '@backstage/plugin-catalog-node';

/** The catalog has read its locations by then; an owner that is added later is noticed within the hour. */
const SCHEDULE: SchedulerServiceTaskScheduleDefinition = {
  initialDelay: { minutes: 2 },
  frequency: { hours: 1 },
  timeout: { minutes: 1 },
  scope: 'local',
};

/** A task that warns once, and again only after the owner has been there, if the catalog has no such owner. */
export function createDefaultOwnerCheck(options: {
  readonly auth: AuthService;
  readonly catalog: Pick<CatalogService, 'getEntityByRef'>;
  readonly logger: LoggerService;
  /** Entity reference. */
  readonly defaultOwner: string;
}) {
  const { auth, catalog, logger, defaultOwner } = options;
  let isKnownToBeMissing = false;
  return {
    ...SCHEDULE,
    id: 'argocd-fleet:default-owner',
    async fn(): Promise<void> {
      const owner = await catalog.getEntityByRef(defaultOwner, {
        credentials: await auth.getOwnServiceCredentials(),
      });
      if (!owner && !isKnownToBeMissing) {
        logger.warn(
          `The owner of managed clusters and ApplicationSets, ${defaultOwner}, is not in the catalog, so their pages name an owner that does not exist. Set catalog.providers.argocdFleet.defaultOwner to a group or user of the catalog, or add this one`,
        );
      }
      isKnownToBeMissing = !owner;
    },
  };
}
