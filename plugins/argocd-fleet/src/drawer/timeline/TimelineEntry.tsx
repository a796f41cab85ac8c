import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { Source, Transition } from 'backstage-plugin-argocd-fleet-common';
import { Fragment } from 'react';
import { argocdFleetTranslationRef } from '../../messages';
import { fleetPalette } from '../../status/palette';
import { changesOf, errorChangeOf } from './changesOf';
import { ErrorChange } from './ErrorChange';
import { StateChange } from './StateChange';
import { TimelineItem } from './TimelineItem';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      changes: {
        display: 'grid',
        gridTemplateColumns: '66px minmax(0, 1fr)',
        gap: '3px 10px',
        margin: 0,
        '& dt': { color: palette.dim },
        '& dd': { margin: 0, minWidth: 0 },
      },
      note: { color: palette.dim, marginBottom: 4 },
      omitted: { color: palette.dim, marginTop: 4 },
    };
  },
  { name: 'ArgocdFleetTimelineEntry' },
);

/** One transition: each field that changed, before and after. */
export function TimelineEntry(props: {
  readonly transition: Transition;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { transition, sources } = props;
  const { previous, sequence, at, omitted } = transition;
  const error = errorChangeOf(transition);
  const changes = changesOf(transition);
  return (
    <TimelineItem at={at}>
      {!previous && (
        <div className={classes.note}>
          {t(sequence === 1 ? 'timeline.firstSeen' : 'timeline.earlierGone')}
        </div>
      )}
      {changes.length > 0 && (
        <dl className={classes.changes}>
          {changes.map(change => (
            <Fragment
              key={change.field === 'revision' ? change.source : change.field}
            >
              <dt>{t(`timeline.${change.field}`)}</dt>
              <dd>
                <StateChange
                  change={change}
                  first={!previous}
                  sources={sources}
                />
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      {error && <ErrorChange error={error.to} />}
      {changes.length === 0 && !error && (
        <div className={classes.note}>{t('timeline.same')}</div>
      )}
      {omitted && (
        <div className={classes.omitted}>
          {t('timeline.omitted', { count: omitted })}
        </div>
      )}
    </TimelineItem>
  );
}
