import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import {
  OVERALL_STATES,
  type StatusSummary,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { FilterChip } from '../status/FilterChip';
import {
  HEALTH_PRESENTATION,
  OLD_PRESENTATION,
  STATE_PRESENTATION,
  SYNC_PRESENTATION,
  type Presentation,
} from '../status/presentation';
import { RatioBar } from '../status/RatioBar';
import { stateSegments } from '../status/segments';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { useBarLabel } from '../status/useBarLabel';
import type { RowFilter } from './rows';
import type { RowChoice } from './useSectionState';

const useStyles = makeStyles(
  theme => ({
    chips: {
      display: 'flex',
      flexWrap: 'wrap',
      gap: 6,
      marginTop: 8,
      // One line that scrolls, so that the causes below it are on the first screen of a phone.
      [theme.breakpoints.down('xs')]: {
        flexWrap: 'nowrap',
        overflowX: 'auto',
        // Room for the frames of focused and pressed filters, which the line would cut off.
        margin: '4px -4px -4px',
        padding: 4,
        '& > *': { flex: 'none' },
      },
    },
    number: { fontWeight: 600 },
  }),
  { name: 'ArgocdFleetStateFilters' },
);

interface Chip {
  readonly id: string;
  readonly word: string;
  readonly of: Presentation;
  readonly count: number;
  readonly choice: RowChoice;
}

/** Health statuses that are worth a look, the most urgent first. */
const UNHEALTHY = [
  'Degraded',
  'Missing',
  'Unknown',
  'Progressing',
  'Suspended',
] as const;

/** Whether the filter has nothing but the choice and a text. */
function isChosen(filter: RowFilter, choice: RowChoice): boolean {
  const { text, ...chosen } = filter;
  return JSON.stringify(chosen) === JSON.stringify(choice);
}

/** A bar of clusters by how far they are, and a filter for each state that exists. */
export function StateFilters(props: {
  readonly summary: StatusSummary;
  /** Number of clusters that run another version than the wanted one. */
  readonly behind: number;
  readonly filter: RowFilter;
  /** A filter replaces another; a pressed one is replaced by none. */
  readonly onChoose: (choice: RowChoice) => void;
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { summary, behind, filter, onChoose } = props;
  const { state, health, sync, stale } = summary;
  const segments = stateSegments(summary);
  const label = useBarLabel('state', segments);
  const chips: Chip[] = [
    ...OVERALL_STATES.toReversed().map(each => ({
      id: each,
      word: t(`state.${each}`),
      of: STATE_PRESENTATION[each],
      count: state[each],
      choice: { state: each },
    })),
    ...UNHEALTHY.map(status => ({
      id: `health ${status}`,
      word: t(`tiles.${status}`),
      of: HEALTH_PRESENTATION[status],
      count: health[status],
      choice: { health: status },
    })),
    ...(['OutOfSync', 'Unknown'] as const).map(status => ({
      id: `sync ${status}`,
      word: t(status === 'Unknown' ? 'tiles.SyncUnknown' : 'tiles.OutOfSync'),
      of: SYNC_PRESENTATION[status],
      count: sync[status],
      choice: { sync: status },
    })),
    {
      id: 'behind',
      word: t('tiles.behind'),
      of: SYNC_PRESENTATION.OutOfSync,
      count: behind,
      choice: { behind: true },
    },
    {
      id: 'stale',
      word: t('tiles.stale'),
      of: OLD_PRESENTATION,
      count: stale,
      choice: { stale: true },
    },
  ];
  return (
    <>
      <RatioBar
        segments={segments}
        label={label}
        onChoose={word =>
          onChoose({
            state: OVERALL_STATES.find(each => word === `state.${each}`),
          })
        }
      />
      <div className={classes.chips} role="group" aria-label={t('tiles.label')}>
        {chips
          .filter(({ count, choice }) => count > 0 || isChosen(filter, choice))
          .map(({ id, word, of, count, choice }) => {
            const pressed = isChosen(filter, choice);
            return (
              <FilterChip
                key={id}
                pressed={pressed}
                onClick={() => onChoose(pressed ? {} : choice)}
              >
                <StatusShape of={of} />
                <span className={`${classes.number} ${tones[of.tone]}`}>
                  {count}
                </span>
                <span>{word}</span>
              </FilterChip>
            );
          })}
      </div>
    </>
  );
}
