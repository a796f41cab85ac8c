import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSetDetail } from 'backstage-plugin-argocd-fleet-common';
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

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      set: { '& + &': { marginTop: 20 } },
      name: { fontWeight: 600, overflowWrap: 'anywhere' },
      dim: { color: palette.dim },
      bars: {
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr',
        columnGap: 12,
        rowGap: 10,
        marginTop: 10,
        '& dt': { color: palette.dim, lineHeight: '12px' },
        '& dd': { margin: 0, minWidth: 0 },
      },
      worst: { marginTop: 10, color: palette.bad },
    };
  },
  { name: 'ArgocdFleetCardSet' },
);

/** Summary of one ApplicationSet on the card. */
export function CardSet(props: { readonly set: ApplicationSetDetail }) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { ref, summary, applications, worst, hubState, findings, placement } =
    props.set;
  return (
    <div className={classes.set}>
      <div>
        <span className={classes.name}>{ref.name}</span>{' '}
        <span className={classes.dim}>
          {t('card.clusters', { count: summary.clusters })}
          {summary.stale > 0 &&
            ` · ${t('card.stale', { count: summary.stale })}`}
        </span>
      </div>
      {hubState.state === 'unreachable' && (
        <ShapedText of={NOTICE_KINDS.problem}>
          {t('notices.hubUnreachable.short', { hub: ref.hub })}{' '}
          {hubState.since &&
            t('card.asOf', { age: <Age at={hubState.since} /> })}
        </ShapedText>
      )}
      {summary.clusters > 0 && (
        <dl className={classes.bars}>
          <dt>{t('bar.sync')}</dt>
          <dd>
            <LabelledBar of="sync" segments={syncSegments(summary)} />
          </dd>
          <dt>{t('bar.health')}</dt>
          <dd>
            <LabelledBar
              of="health"
              segments={healthSegments(summary, applications)}
            />
          </dd>
        </dl>
      )}
      {summary.clusters === 0 && hubState.state === 'ready' && (
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
      )}
    </div>
  );
}
