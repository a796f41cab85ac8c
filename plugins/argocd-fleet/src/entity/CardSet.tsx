import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ApplicationSet,
  EntityLink,
  HubState,
} from 'backstage-plugin-argocd-fleet-common';
import { FindingCode } from '../findings/FindingCode';
import { argocdFleetTranslationRef } from '../messages';
import { NOTICE_KINDS } from '../notice/Notice';
import { useTableStyles } from '../table/tableStyles';
import { LabelledBar } from '../status/LabelledBar';
import { fleetPalette } from '../status/palette';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { healthSegments, syncSegments } from '../status/segments';
import { ShapedText } from '../status/StatusLabel';
import { StatusShape } from '../status/StatusShape';
import { Age } from '../time/Age';
import { SetHeadline, setStateOf } from '../status/SetHeadline';
import { VersionLine } from '../version/VersionLine';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      set: { '& + &': { marginTop: 20 } },
      /** Name and headline on one line, and less between the sets: five fit on a screen. */
      compact: {
        '& + &': { marginTop: 14 },
        '& $head': {
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'baseline',
          columnGap: 12,
        },
        '& $headline': { fontSize: 14, marginTop: 0 },
        '& $versions': { marginTop: 2 },
        '& $worst': { marginTop: 6 },
      },
      head: {},
      name: { fontWeight: 600, overflowWrap: 'anywhere' },
      dim: { color: palette.dim },
      headline: { fontSize: 16, fontWeight: 500, marginTop: 2 },
      bars: {
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        columnGap: 12,
        rowGap: 10,
        marginTop: 10,
        '& dt': { color: palette.dim, lineHeight: '12px' },
        '& dd': { margin: 0, minWidth: 0 },
      },
      versions: { marginTop: 8 },
      worst: { marginTop: 10, color: palette.bad },
      facts: { color: palette.dim, marginLeft: 24 },
    };
  },
  { name: 'ArgocdFleetCardSet' },
);

/** Summary of one ApplicationSet on the card. */
export function CardSet(props: {
  readonly set: ApplicationSet;
  readonly link: EntityLink;
  readonly hub: HubState | undefined;
  /** Without the bars, for a card with several sets. */
  readonly compact: boolean;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { set, hub, link } = props;
  const { ref, summary, worst, findings, placement } = set;
  return (
    <div className={props.compact ? classes.compact : classes.set}>
      <div className={classes.head}>
        <div className={classes.name}>{ref.name}</div>
        <div className={classes.headline}>
          <SetHeadline set={set} />
        </div>
        {link.way !== 'annotation' && (
          <div className={classes.dim}>
            {t('section.linkedBy', { via: link.via })}
          </div>
        )}
      </div>
      {hub?.state === 'unreachable' && (
        <ShapedText of={NOTICE_KINDS.problem}>
          {t('notices.hubUnreachable.short', { hub: ref.hub })}{' '}
          {hub.since && t('card.asOf', { age: <Age at={hub.since} /> })}
        </ShapedText>
      )}
      {summary.clusters > 0 && (
        <>
          <div className={classes.versions}>
            <VersionLine set={set} />
          </div>
          {!props.compact && (
            <dl className={classes.bars}>
              <dt>{t('bar.sync')}</dt>
              <dd>
                <LabelledBar of="sync" segments={syncSegments(summary)} />
              </dd>
              <dt>{t('bar.health')}</dt>
              <dd>
                <LabelledBar of="health" segments={healthSegments(summary)} />
              </dd>
            </dl>
          )}
        </>
      )}
      {setStateOf(set) === 'none' && hub?.state === 'ready' && (
        <div className={classes.dim}>
          {placement?.decisions === 0
            ? t('notices.noClusters.short', { placement: placement.name })
            : t('notices.noApplications.short')}
        </div>
      )}
      {findings.map(({ code, severity, title }) => (
        <div key={`${code}/${title}`}>
          <ShapedText of={SEVERITY_PRESENTATION[severity]}>{title}</ShapedText>
        </div>
      ))}
      {worst && (
        <>
          <div
            className={`${tableClasses.problem} ${classes.worst}`}
            title={worst.message}
          >
            <StatusShape of={SEVERITY_PRESENTATION.error} />
            <span className={tableClasses.lines}>
              {worst.cluster && `${worst.cluster}: `}
              {worst.message}
            </span>
          </div>
          {(worst.code || worst.since) && (
            <div className={classes.facts}>
              {worst.code && <FindingCode code={worst.code} />}
              {worst.code && worst.since && ' · '}
              {worst.since &&
                t('causes.for', { time: <Age at={worst.since} as="for" /> })}
            </div>
          )}
        </>
      )}
    </div>
  );
}
