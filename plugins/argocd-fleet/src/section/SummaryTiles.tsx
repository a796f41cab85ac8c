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
import { HEALTH_PRESENTATION, SYNC_PRESENTATION } from '../status/presentation';
import { useToneClasses } from '../status/StatusShape';
import type { RowFilter } from './rows';
import type { RowChoice } from './useSectionState';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      tiles: {
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(100px, 1fr))',
        gap: 10,
      },
      tile: {
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'stretch',
        justifyContent: 'flex-start',
        textAlign: 'left',
        fontFamily: 'inherit',
        background: theme.palette.background.paper,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        padding: '10px 14px',
        fontSize: 14,
        '&:hover': { borderColor: palette.dim },
        '&:focus-visible': { outline: `2px solid ${palette.busy}` },
        '&[aria-pressed="true"]': {
          outline: `2px solid ${theme.palette.primary.main}`,
        },
      },
      // Pressed while nothing is filtered; a frame would only distract.
      all: { '&[aria-pressed="true"]': { outline: 'none' } },
      number: {
        display: 'block',
        fontSize: 24,
        fontWeight: 500,
        lineHeight: 1.15,
      },
      word: {
        display: 'block',
        color: palette.dim,
        fontSize: 12.5,
        marginTop: 2,
      },
    };
  },
  { name: 'ArgocdFleetSummaryTiles' },
);

type TileId = HealthStatus | 'stale' | 'OutOfSync' | 'SyncUnknown';

interface Tile {
  readonly id: TileId | 'clusters';
  readonly count: number;
  readonly word: string;
  readonly tone?: Tone;
  readonly pressed: boolean;
  readonly onClick: () => void;
}

/** Health statuses with a tile even if no cluster has them. */
const ALWAYS_SHOWN: readonly HealthStatus[] = [
  'Healthy',
  'Progressing',
  'Degraded',
  'Missing',
];
const SHOWN_WHERE_ANY: readonly HealthStatus[] = ['Suspended', 'Unknown'];

/** Numbers of clusters by state; each tile filters the table. */
export function SummaryTiles(props: {
  readonly summary: StatusSummary;
  readonly filter: RowFilter;
  /** A tile replaces another; a pressed tile clears its filter. */
  readonly onChoose: (choice: RowChoice) => void;
  readonly onClear: () => void;
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { summary, filter, onChoose, onClear } = props;

  function tile(
    id: TileId,
    count: number,
    tone: Tone,
    pressed: boolean,
    choice: RowChoice,
  ): Tile {
    return {
      id,
      count,
      word: t(`tiles.${id}`),
      tone: count > 0 ? tone : undefined,
      pressed,
      onClick: () => onChoose(pressed ? {} : choice),
    };
  }
  const healthTile = (health: HealthStatus) =>
    tile(
      health,
      summary.health[health],
      HEALTH_PRESENTATION[health].tone,
      filter.health === health,
      { health },
    );
  const syncTile = (id: TileId, sync: SyncStatus) =>
    tile(
      id,
      summary.sync[sync],
      SYNC_PRESENTATION[sync].tone,
      filter.sync === sync,
      { sync },
    );

  const tiles: Tile[] = [
    {
      id: 'clusters',
      count: summary.clusters,
      word: t('tiles.clusters', { count: summary.clusters }),
      pressed: !filter.health && !filter.sync && !filter.stale && !filter.cause,
      onClick: onClear,
    },
    ...ALWAYS_SHOWN.map(healthTile),
    ...SHOWN_WHERE_ANY.filter(
      status => summary.health[status] > 0 || filter.health === status,
    ).map(healthTile),
    tile('stale', summary.stale, 'unknown', Boolean(filter.stale), {
      stale: true,
    }),
    syncTile('OutOfSync', 'OutOfSync'),
    ...(summary.sync.Unknown > 0 || filter.sync === 'Unknown'
      ? [syncTile('SyncUnknown', 'Unknown')]
      : []),
  ];

  return (
    <div className={classes.tiles} role="group" aria-label={t('tiles.label')}>
      {tiles.map(({ id, count, word, tone, pressed, onClick }) => (
        <ButtonBase
          key={id}
          className={`${classes.tile} ${id === 'clusters' ? classes.all : ''}`}
          aria-pressed={pressed}
          onClick={onClick}
          disableRipple
        >
          <span className={`${classes.number} ${tone ? tones[tone] : ''}`}>
            {count}
          </span>
          <span className={classes.word}>{word}</span>
        </ButtonBase>
      ))}
    </div>
  );
}
