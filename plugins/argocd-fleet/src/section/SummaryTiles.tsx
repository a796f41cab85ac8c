import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  HealthStatus,
  StatusSummary,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette, type Tone } from '../status/palette';
import {
  HEALTH_PRESENTATION,
  STATE_PRESENTATION,
  SYNC_PRESENTATION,
} from '../status/presentation';
import { useToneClasses } from '../status/StatusShape';
import type { RowFilter } from './rows';
import type { RowChoice } from './useSectionState';

export const useTileStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      tiles: {
        display: 'flex',
        flexWrap: 'wrap',
        gap: 6,
        // One line that scrolls, so that the causes below it are on the first screen of a phone.
        [theme.breakpoints.down('xs')]: {
          flexWrap: 'nowrap',
          overflowX: 'auto',
          // Room for the frames of focused and pressed tiles, which the line would cut off.
          margin: -4,
          padding: 4,
        },
      },
      tile: {
        display: 'flex',
        // As wide as its word, and then all of the line; one alone on the last line does not fill that.
        flex: '1 0 auto',
        maxWidth: 200,
        flexDirection: 'column',
        alignItems: 'stretch',
        justifyContent: 'flex-start',
        textAlign: 'left',
        fontFamily: 'inherit',
        background: theme.palette.background.paper,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        padding: '8px',
        fontSize: 14,
        [theme.breakpoints.down('xs')]: { padding: '4px 10px' },
        '&:hover': { borderColor: palette.dim },
        '&[aria-pressed="true"]': {
          outline: `2px solid ${theme.palette.primary.main}`,
        },
        // Pressed while nothing is filtered; a frame would only distract.
        '&$all[aria-pressed="true"]': { outline: 'none' },
        '&&&:focus-visible': {
          outline: `3px solid ${palette.busy}`,
          outlineOffset: 1,
        },
      },
      all: {},
      number: {
        display: 'block',
        fontSize: 24,
        fontWeight: 500,
        lineHeight: 1.15,
        [theme.breakpoints.down('xs')]: { fontSize: 20 },
      },
      word: {
        display: 'block',
        color: palette.dim,
        fontSize: 12.5,
        marginTop: 2,
        whiteSpace: 'nowrap',
      },
    };
  },
  { name: 'ArgocdFleetSummaryTiles' },
);

type TileId =
  | HealthStatus
  | 'clusters'
  | 'inTrouble'
  | 'OutOfSync'
  | 'SyncUnknown'
  | 'stale';

interface Tile {
  readonly id: TileId;
  readonly count: number;
  readonly tone?: Tone;
  /** What the tile filters by; empty for all. */
  readonly choice: RowChoice;
}

const HEALTH_TILES: readonly HealthStatus[] = [
  'Healthy',
  'Progressing',
  'Degraded',
  'Missing',
  'Suspended',
  'Unknown',
];

/** Number of tiles. */
export const TILE_COUNT = HEALTH_TILES.length + 5;

/** The same tiles for every summary, so that none moves when a number changes from or to 0. */
function tilesOf({ clusters, state, health, sync, stale }: StatusSummary) {
  const syncTile = (id: TileId, status: SyncStatus): Tile => ({
    id,
    count: sync[status],
    tone: SYNC_PRESENTATION[status].tone,
    choice: { sync: status },
  });
  return [
    { id: 'clusters', count: clusters, choice: {} },
    {
      id: 'inTrouble',
      count: state.inTrouble,
      tone: STATE_PRESENTATION.inTrouble.tone,
      choice: { trouble: true },
    },
    ...HEALTH_TILES.map(status => ({
      id: status,
      count: health[status],
      tone: HEALTH_PRESENTATION[status].tone,
      choice: { health: status },
    })),
    syncTile('OutOfSync', 'OutOfSync'),
    syncTile('SyncUnknown', 'Unknown'),
    { id: 'stale', count: stale, tone: 'unknown', choice: { stale: true } },
  ] satisfies Tile[];
}

/** Whether the filter has nothing but the choice and a text. */
function isChosen(filter: RowFilter, choice: RowChoice): boolean {
  const { text, ...chosen } = filter;
  return JSON.stringify(chosen) === JSON.stringify(choice);
}

/** Numbers of clusters by state; each tile filters the table. */
export function SummaryTiles(props: {
  readonly summary: StatusSummary;
  readonly filter: RowFilter;
  /** A tile replaces another; a pressed tile clears its filter. */
  readonly onChoose: (choice: RowChoice) => void;
  readonly onClear: () => void;
}) {
  const classes = useTileStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { summary, filter, onChoose, onClear } = props;
  return (
    <div className={classes.tiles} role="group" aria-label={t('tiles.label')}>
      {tilesOf(summary).map(({ id, count, tone, choice }: Tile) => {
        const all = id === 'clusters';
        const pressed = isChosen(filter, choice);
        return (
          <ButtonBase
            key={id}
            className={`${classes.tile} ${all ? classes.all : ''}`}
            aria-pressed={pressed}
            onClick={() => {
              if (all) {
                onClear();
              } else {
                onChoose(pressed ? {} : choice);
              }
            }}
            disableRipple
          >
            <span
              className={`${classes.number} ${tone && count > 0 ? tones[tone] : ''}`}
            >
              {count}
            </span>
            <span className={classes.word}>
              {all ? t('tiles.clusters', { count }) : t(`tiles.${id}`)}
            </span>
          </ButtonBase>
        );
      })}
    </div>
  );
}
