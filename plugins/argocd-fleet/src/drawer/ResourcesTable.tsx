import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import {
  parseHealthStatus,
  parseSyncStatus,
  type ClusterApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { oldSync } from '../status/oldStatus';
import { HealthLabel, SyncLabel } from '../status/StatusLabel';
import { Age } from '../time/Age';
import { useDetailStyles } from './detailStyles';
import { DetailTable } from './DetailTable';
import { isFromElsewhere } from './origins';

/** The message of a resource that progresses, or is suspended on purpose, is not an error. */
function isUnfinished(health: string | undefined): boolean {
  return health === 'Progressing' || health === 'Suspended';
}

/** Resources of the Application on its cluster. */
export function ResourcesTable(props: {
  readonly application: ClusterApplication;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resources, resourcesOmitted, resourceHealthHidden, sources } =
    props.application;
  const isFromOther = isFromElsewhere(props.application, 'resources');
  const at = isFromOther ? undefined : sources?.resources?.observedAt;
  // Another source may know of a silent cluster what that has not reported.
  const hasOldSync = !isFromOther && oldSync(props.application) !== undefined;
  const hasOldHealth = !isFromOther && props.application.cluster.stale;
  return (
    <>
      <h3>
        {t('drawer.resources')}{' '}
        {at && (
          <span className={classes.dim}>
            {t('drawer.resourcesAge', { age: <Age at={at} /> })}
          </span>
        )}
      </h3>
      {resources.length === 0 ? (
        <div className={classes.dim}>{t('drawer.noResources')}</div>
      ) : (
        <DetailTable
          headings={[
            t('drawer.kind'),
            t('drawer.name'),
            t('table.sync'),
            t('table.health'),
          ]}
        >
          {resources.map(({ group, kind, namespace, name, ...state }) => {
            const sync = parseSyncStatus(state.sync);
            return (
              <tr key={[group, kind, namespace, name].join('/')}>
                <td title={group}>{kind}</td>
                <td className={classes.name} title={namespace}>
                  {name}
                  {state.message && (
                    <div
                      className={
                        isUnfinished(state.health)
                          ? classes.note
                          : classes.error
                      }
                    >
                      {state.message}
                    </div>
                  )}
                  {state.requiresPruning && (
                    <div className={classes.note}>{t('drawer.pruning')}</div>
                  )}
                  {state.requiresDeletionConfirmation && (
                    <div className={classes.note}>
                      {t('drawer.confirmation')}
                    </div>
                  )}
                </td>
                <td>
                  {state.sync && (
                    <SyncLabel
                      status={sync}
                      was={hasOldSync ? sync : undefined}
                    />
                  )}
                </td>
                <td>
                  {state.health && (
                    <HealthLabel
                      status={parseHealthStatus(state.health)}
                      old={hasOldHealth}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </DetailTable>
      )}
      {resourcesOmitted ? (
        <div className={classes.note}>
          {t('drawer.resourcesOmitted', { count: resourcesOmitted })}
        </div>
      ) : undefined}
      {resourceHealthHidden && resources.length > 0 && (
        <div className={classes.note}>{t('drawer.healthHidden')}</div>
      )}
    </>
  );
}
