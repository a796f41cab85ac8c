import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { Source, Transition } from 'backstage-plugin-argocd-fleet-common';
import { Fragment } from 'react';
import { argocdFleetTranslationRef } from '../../messages';
import { fleetPalette } from '../../status/palette';
import { Age } from '../../time/Age';
import { changesOf, errorChangeOf } from './changesOf';
import { ErrorChange } from './ErrorChange';
import { StateChange } from './StateChange';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      entry: {
        position: 'relative',
        padding: '0 0 12px 22px',
        '&::before': {
          content: '""',
          position: 'absolute',
          left: 5,
          top: 4,
          width: 8,
          height: 8,
          borderRadius: '50%',
          background: palette.dim,
        },
        '&:not(:last-child)::after': {
          content: '""',
          position: 'absolute',
          left: 8,
          top: 16,
          bottom: -1,
          width: 2,
          background: palette.line,
        },
      },
      head: { display: 'flex', gap: 12, justifyContent: 'space-between' },
      what: { flex: 1, minWidth: 0 },
      changes: {
        display: 'grid',
        gridTemplateColumns: '66px minmax(0, 1fr)',
        gap: '3px 10px',
        margin: 0,
        '& dt': { color: palette.dim },
        '& dd': { margin: 0, minWidth: 0 },
      },
      note: { color: palette.dim, marginBottom: 4 },
      time: { color: palette.dim, fontSize: 12.5, whiteSpace: 'nowrap' },
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
  const { previous, sequence, at } = transition;
  const error = errorChangeOf(transition);
  const changes = changesOf(transition);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <div className={classes.what}>
          {!previous && (
            <div className={classes.note}>
              {t(
                sequence === 1 ? 'timeline.firstSeen' : 'timeline.earlierGone',
              )}
            </div>
          )}
          {changes.length > 0 && (
            <dl className={classes.changes}>
              {changes.map(change => (
                <Fragment
                  key={
                    change.field === 'revision' ? change.source : change.field
                  }
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
        </div>
        <span className={classes.time}>
          <Age at={at} />
        </span>
      </div>
    </li>
  );
}
