import { Link } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ApplicationSetRows,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import type { LiveState } from '../live/liveQuery';
import { argocdFleetTranslationRef } from '../messages';
import { describeSource, treePage } from '../source/repositoryLinks';
import { fleetPalette } from '../status/palette';
import { LiveMark } from '../live/LiveMark';
import { HEALTH_PRESENTATION } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';
import { RollingSyncProgress } from './RollingSyncProgress';
import { useModelText } from './useModelText';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      header: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        gap: '4px 16px',
        margin: '0 0 14px',
        fontSize: 14,
      },
      facts: {
        display: 'flex',
        alignItems: 'center',
        flexWrap: 'wrap',
        columnGap: 10,
        rowGap: 4,
        flex: '1 1 300px',
        minWidth: 0,
        overflowWrap: 'anywhere',
      },
      name: { fontSize: 16, fontWeight: 600, margin: 0, lineHeight: 1.4 },
      chip: {
        background: palette.chip,
        borderRadius: 14,
        padding: '3px 10px',
        fontSize: 12.5,
      },
      dim: { color: palette.dim },
    };
  },
  { name: 'ArgocdFleetSectionHeader' },
);

function SourceLink(props: { readonly source: Source }) {
  const page = treePage(props.source);
  const text = describeSource(props.source);
  return page ? (
    <Link to={page}>{text}</Link>
  ) : (
    <span title={props.source.repoURL}>{text}</span>
  );
}

/** Name, delivery model, sources and placement of an ApplicationSet, and whether the page is live. */
export function SectionHeader(props: {
  readonly set: ApplicationSetRows;
  readonly live: LiveState<unknown>;
  /** How the entity's link to the set was found. */
  readonly via?: string;
  /** Whether that is shown beside the name, and not only as its title. */
  readonly showVia?: boolean;
  readonly showName: boolean;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { via, showVia = false, showName } = props;
  const { ref, sources, placement, excluded, hubState } = props.set;
  const { health, rollingSync } = props.set;
  const model = useModelText()(props.set);
  const hubClusters = new Set(excluded.map(({ cluster }) => cluster)).size;
  const decisions = t('section.decisions', {
    count: placement?.decisions ?? 0,
  });
  return (
    <div className={classes.header}>
      <div className={classes.facts}>
        {showName && (
          <h2
            className={classes.name}
            title={via && t('section.linkedBy', { via })}
          >
            {ref.name}
          </h2>
        )}
        <span className={classes.chip} title={model.title}>
          {model.counts ?? model.name}
        </span>
        <span
          className={classes.chip}
          title={t('section.namespaceTitle', { hub: ref.hub })}
        >
          {ref.namespace}
        </span>
        {showVia && via && (
          <span className={classes.dim}>{t('section.linkedBy', { via })}</span>
        )}
        {sources.map(source => (
          <SourceLink key={describeSource(source)} source={source} />
        ))}
        {placement && (
          <span className={classes.dim}>
            {t('section.placement', { name: placement.name })}{' '}
            {hubClusters > 0
              ? t('section.decisionsWithHub', {
                  decisions,
                  number: String(hubClusters),
                })
              : decisions}
          </span>
        )}
        {rollingSync && (
          <RollingSyncProgress of={rollingSync} className={classes.dim} />
        )}
        {health && (
          <span title={health.message}>
            <ShapedText of={HEALTH_PRESENTATION[health.status]}>
              {t('section.health', { status: t(`health.${health.status}`) })}
            </ShapedText>
          </span>
        )}
      </div>
      <LiveMark live={props.live} hubs={[hubState]} />
    </div>
  );
}
