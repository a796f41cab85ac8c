import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import {
  parseHealthStatus,
  parseSyncStatus,
  type ClusterApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { HealthLabel, SyncLabel } from '../status/StatusLabel';
import { Age } from '../time/Age';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      dim: { color: palette.dim, fontWeight: 400 },
      error: { color: palette.bad, fontSize: 12.5 },
      /** The only column that may break words: its words are the long ones. */
      name: { minWidth: 90, overflowWrap: 'anywhere' },
      table: {
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: 13,
        '& th': { textAlign: 'left', fontWeight: 500, color: palette.dim },
        '& th, & td': {
          padding: '5px 8px 5px 0',
          borderBottom: `1px solid ${palette.line}`,
          whiteSpace: 'nowrap',
        },
        '& $name': { whiteSpace: 'normal' },
        // What it is on one line, how it is on the next.
        [theme.breakpoints.down('xs')]: {
          '& thead': {
            position: 'absolute',
            width: 1,
            height: 1,
            overflow: 'hidden',
            clipPath: 'inset(50%)',
          },
          '& tr': {
            display: 'flex',
            flexWrap: 'wrap',
            columnGap: 14,
            padding: '5px 0',
            borderBottom: `1px solid ${palette.line}`,
          },
          '& td': { padding: '0 !important', border: '0 !important' },
          '& td:empty': { display: 'none' },
          '& $name': { flex: '1 1 55%' },
        },
      },
    };
  },
  { name: 'ArgocdFleetResourcesTable' },
);

/** What Argo CD deployed on that cluster. */
export function ResourcesTable(props: {
  readonly application: ClusterApplication;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resources, resourcesOmitted, statusAt } = props.application;
  return (
    <>
      <h3>
        {t('drawer.resources')}{' '}
        {statusAt && (
          <span className={classes.dim}>
            {t('drawer.resourcesAge', { age: <Age at={statusAt} /> })}
          </span>
        )}
      </h3>
      {resources.length === 0 ? (
        <div className={classes.dim}>{t('drawer.noResources')}</div>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('drawer.kind')}</th>
              <th scope="col">{t('drawer.name')}</th>
              <th scope="col">{t('table.sync')}</th>
              <th scope="col">{t('table.health')}</th>
            </tr>
          </thead>
          <tbody>
            {resources.map(({ group, kind, namespace, name, ...state }) => (
              <tr key={[group, kind, namespace, name].join('/')}>
                <td title={group}>{kind}</td>
                <td className={classes.name} title={namespace}>
                  {name}
                  {state.message && (
                    <div className={classes.error}>{state.message}</div>
                  )}
                </td>
                <td>
                  {state.sync && (
                    <SyncLabel status={parseSyncStatus(state.sync)} />
                  )}
                </td>
                <td>
                  {state.health && (
                    <HealthLabel status={parseHealthStatus(state.health)} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {resourcesOmitted ? (
        <div className={classes.dim}>
          {t('drawer.resourcesOmitted', { count: resourcesOmitted })}
        </div>
      ) : undefined}
    </>
  );
}
