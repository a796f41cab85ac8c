import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { DeliveryStep } from 'backstage-plugin-argocd-fleet-common';
import { FindingBox } from '../findings/FindingBox';
import { FindingCode } from '../findings/FindingCode';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { STEP_PRESENTATION } from '../status/presentation';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { VISUALLY_HIDDEN } from '../status/visuallyHidden';
import { AgeAndClock } from '../time/Age';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      path: { listStyle: 'none', margin: '16px 0 0', padding: 0 },
      step: {
        position: 'relative',
        padding: '0 0 12px 30px',
        '& > svg': {
          position: 'absolute',
          left: 0,
          top: 1,
          width: 18,
          height: 18,
        },
        '&:not(:last-child)::before': {
          content: '""',
          position: 'absolute',
          left: 8,
          top: 22,
          bottom: 0,
          width: 2,
          background: palette.line,
        },
      },
      head: { display: 'flex', gap: 12, justifyContent: 'space-between' },
      title: { fontWeight: 500 },
      time: { color: palette.dim, fontSize: 12.5, whiteSpace: 'nowrap' },
      detail: {
        color: palette.dim,
        fontSize: 13,
        margin: '1px 0 0',
        overflowWrap: 'anywhere',
      },
      hidden: VISUALLY_HIDDEN,
    };
  },
  { name: 'ArgocdFleetDeliveryPath' },
);

/** Title of a step, which with a failed one says why; only screen readers need words for the state of any other. */
function StepTitle(props: { readonly step: DeliveryStep }) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { state, title, finding } = props.step;
  const tone = state === 'done' ? '' : tones[STEP_PRESENTATION[state].tone];
  if (state === 'failed') {
    return (
      <span>
        <span className={`${classes.title} ${tone}`}>
          {finding
            ? t('drawer.failedStep', { step: title, finding: finding.title })
            : title}
        </span>{' '}
        {finding && <FindingCode code={finding.code} />}
      </span>
    );
  }
  return (
    <span className={`${classes.title} ${tone}`}>
      {title}
      <span className={classes.hidden}>
        {` (${t(`drawer.stepState.${state}`)})`}
      </span>
    </span>
  );
}

/** The steps of delivery, from the placement decision to a healthy application. */
export function DeliveryPath(props: {
  readonly steps: readonly DeliveryStep[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ol className={classes.path} aria-label={t('drawer.path')}>
      {props.steps.map(step => {
        const { id, state, detail, at, finding } = step;
        return (
          <li key={id} className={classes.step}>
            <StatusShape of={STEP_PRESENTATION[state]} />
            <div className={classes.head}>
              <StepTitle step={step} />
              {at && (
                <span className={classes.time}>
                  <AgeAndClock at={at} />
                </span>
              )}
            </div>
            {(detail || state === 'waiting') && (
              <p className={classes.detail}>{detail ?? t('drawer.waits')}</p>
            )}
            {finding && (
              <FindingBox finding={finding} showTitle={state !== 'failed'} />
            )}
          </li>
        );
      })}
    </ol>
  );
}
