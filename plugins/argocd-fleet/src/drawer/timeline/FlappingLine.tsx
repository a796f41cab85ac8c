import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  RecordedState,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { DateTime } from 'luxon';
import { Fragment, useState } from 'react';
import { argocdFleetTranslationRef } from '../../messages';
import { Revisions } from '../../source/Revisions';
import { fleetPalette } from '../../status/palette';
import {
  HealthLabel,
  PhaseLabel,
  ShapedText,
  SyncLabel,
} from '../../status/StatusLabel';
import { TextButton } from '../../status/TextButton';
import { useTableStyles } from '../../table/tableStyles';
import { ageOf } from '../../time/relativeTime';
import type { Flapping } from './linesOf';
import { reportingOf } from './reporting';
import { ReportingLabel } from './ReportingLabel';
import { TimelineEntry } from './TimelineEntry';
import { TimelineItem } from './TimelineItem';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      states: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 6,
        '& svg': { width: 14, height: 14 },
      },
      dim: { color: palette.dim },
      omitted: { color: palette.dim, marginTop: 4 },
      each: {
        listStyle: 'none',
        margin: '6px 0 0',
        padding: '8px 0 0',
        borderTop: `1px solid ${palette.line}`,
      },
    };
  },
  { name: 'ArgocdFleetFlappingLine' },
);

/** Transitions between few states in one line: which, how often and in what time. It opens to the single ones. */
export function FlappingLine(props: {
  readonly flapping: Flapping;
  /** Whether earlier transitions that are not loaded may belong to it. */
  readonly goesOn: boolean;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [open, setOpen] = useState(false);
  const { flapping, goesOn, sources } = props;
  const { transitions, states } = flapping;
  const [{ at }] = transitions;
  const number = String(transitions.length);
  const omitted = transitions.reduce(
    (sum, each) => sum + (each.omitted ?? 0),
    0,
  );

  function span(): string {
    const begun = DateTime.fromISO(transitions.at(-1)?.at ?? at);
    const { unit, count } = ageOf(begun, DateTime.fromISO(at));
    return unit === 'hours' && count === 1
      ? t('timeline.anHour')
      : t(`time.for.${unit}`, { number: String(count) });
  }

  return (
    <TimelineItem
      at={at}
      below={
        open && (
          <ol
            className={classes.each}
            aria-label={t('timeline.flapping', { number })}
          >
            {transitions.map(transition => (
              <TimelineEntry
                key={transition.sequence}
                transition={transition}
                sources={sources}
              />
            ))}
          </ol>
        )
      }
    >
      <div className={classes.states}>
        {states.map((state, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <>
                <span className={classes.dim} aria-hidden="true">
                  ↔
                </span>
                <span className={tableClasses.visuallyHidden}>
                  {t('timeline.and')}
                </span>
              </>
            )}
            <FlappingState
              flapping={flapping}
              state={state}
              sources={sources}
            />
          </Fragment>
        ))}
        <span>
          {t(goesOn ? 'timeline.flapsAtLeast' : 'timeline.flaps', {
            number,
            span: span(),
          })}
        </span>
      </div>
      {omitted > 0 && (
        <div className={classes.omitted}>
          {t('timeline.omitted', { count: omitted })}
        </div>
      )}
      <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'timeline.hideEach' : 'timeline.showEach')}
      </TextButton>
    </TimelineItem>
  );
}

function FlappingState(props: {
  readonly flapping: Flapping;
  readonly state: RecordedState;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { flapping, state, sources } = props;
  const none = <span className={classes.dim}>{t('timeline.none')}</span>;
  switch (flapping.field) {
    case 'reporting':
      return <ReportingLabel of={reportingOf(state)} />;
    case 'health':
      return <HealthLabel status={state.health} />;
    case 'sync':
      return <SyncLabel status={state.sync} />;
    case 'phase':
      return state.phase ? <PhaseLabel phase={state.phase} /> : none;
    case 'revision':
      return state.revision ? <Revisions of={state} sources={sources} /> : none;
    default:
      return state.error === undefined ? (
        <ShapedText of={{ shape: 'check', tone: 'good' }}>
          {t('timeline.noError')}
        </ShapedText>
      ) : (
        <ShapedText of={{ shape: 'triangle', tone: 'bad' }}>
          {t(
            flapping.states.length > 1
              ? 'timeline.anError'
              : 'timeline.otherErrors',
          )}
        </ShapedText>
      );
  }
}
