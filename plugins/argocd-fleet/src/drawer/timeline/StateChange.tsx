import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../../messages';
import { useTableStyles } from '../../table/tableStyles';
import { nameSource } from '../../source/repositoryLinks';
import { Revision } from '../../source/Revision';
import { fleetPalette } from '../../status/palette';
import { HealthLabel, PhaseLabel, SyncLabel } from '../../status/StatusLabel';
import type { Change } from './changesOf';
import { ReportingLabel } from './ReportingLabel';

const useStyles = makeStyles(
  theme => ({
    change: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: 6,
      overflowWrap: 'anywhere',
      '& svg': { width: 14, height: 14 },
    },
    dim: { color: fleetPalette(theme).dim },
  }),
  { name: 'ArgocdFleetStateChange' },
);

/** One field of the state, before and after a transition. */
export function StateChange(props: {
  readonly change: Change;
  /** The state before is not known, so only the new value is shown. */
  readonly first: boolean;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { change, first, sources } = props;
  const source =
    change.field === 'revision' ? sources.at(change.source) : undefined;
  return (
    <div className={classes.change}>
      {!first && (
        <>
          <Value change={change} of="from" source={source} />
          <span className={classes.dim} aria-hidden="true">
            →
          </span>
          <span className={tableClasses.visuallyHidden}>
            {t('timeline.to')}
          </span>
        </>
      )}
      <Value change={change} of="to" source={source} />
      {source && sources.length > 1 && (
        <span className={classes.dim}>{nameSource(source)}</span>
      )}
    </div>
  );
}

function Value(props: {
  readonly change: Change;
  readonly of: 'from' | 'to';
  readonly source: Source | undefined;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { change, of, source } = props;
  if (change.field === 'reporting') {
    return <ReportingLabel of={change[of]} />;
  }
  if (change.field === 'health' && change[of]) {
    return <HealthLabel status={change[of]} />;
  }
  if (change.field === 'sync' && change[of]) {
    return <SyncLabel status={change[of]} />;
  }
  if (change.field === 'phase' && change[of]) {
    return <PhaseLabel phase={change[of]} />;
  }
  if (change.field === 'revision' && change[of]) {
    return <Revision revision={change[of]} source={source} />;
  }
  return <span className={classes.dim}>{t('timeline.none')}</span>;
}
