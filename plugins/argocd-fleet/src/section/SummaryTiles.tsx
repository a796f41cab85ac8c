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
import { HEALTH_PRESENTATION } from '../status/presentation';
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
      // Pressed while nothing is filtered, which needs no frame.
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

interface Tile {
  readonly id: string;
  readonly count: number;
  readonly word: string;
  readonly tone?: Tone;
  readonly pressed: boolean;
  readonly onClick: () => void;
}

const ALWAYS: readonly HealthStatus[] = [
  'Healthy',
  'Progressing',
  'Degraded',
  'Missing',
];
const WHERE_ANY: readonly HealthStatus[] = ['Suspended', 'Unknown'];

/** The numbers of a set; each is a filter. */
export function SummaryTiles(props: {
  readonly summary: StatusSummary;
  readonly filter: RowFilter;
  /** One tile replaces another; the pressed one lets go. */
  readonly onChoose: (choice: RowChoice) => void;
  readonly onClear: () => void;
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { summary, filter, onChoose, onClear } = props;

  function healthTile(status: HealthStatus): Tile {
    const pressed = filter.health === status;
    const count = summary.health[status];
    return {
      id: status,
      count,
      word: t(`tiles.${status}`),
      tone: count > 0 ? HEALTH_PRESENTATION[status].tone : undefined,
      pressed,
      onClick: () => onChoose(pressed ? {} : { health: status }),
    };
  }

  function syncTile(
    status: SyncStatus,
    id: 'OutOfSync' | 'SyncUnknown',
    tone: Tone,
  ): Tile {
    const pressed = filter.sync === status;
    const count = summary.sync[status];
    return {
      id,
      count,
      word: t(`tiles.${id}`),
      tone: count > 0 ? tone : undefined,
      pressed,
      onClick: () => onChoose(pressed ? {} : { sync: status }),
    };
  }

  const tiles: Tile[] = [
    {
      id: 'clusters',
      count: summary.clusters,
      word: t('tiles.clusters', { count: summary.clusters }),
      pressed: !filter.health && !filter.sync && !filter.stale && !filter.cause,
      onClick: onClear,
    },
    ...ALWAYS.map(healthTile),
    ...WHERE_ANY.filter(
      status => summary.health[status] > 0 || filter.health === status,
    ).map(healthTile),
    {
      id: 'stale',
      count: summary.stale,
      word: t('tiles.stale'),
      tone: summary.stale > 0 ? 'unknown' : undefined,
      pressed: Boolean(filter.stale),
      onClick: () => onChoose(filter.stale ? {} : { stale: true }),
    },
    syncTile('OutOfSync', 'OutOfSync', 'warn'),
    ...(summary.sync.Unknown > 0 || filter.sync === 'Unknown'
      ? [syncTile('Unknown', 'SyncUnknown', 'unknown')]
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
