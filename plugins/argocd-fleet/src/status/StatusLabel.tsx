import { makeStyles } from '@material-ui/core/styles';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  HealthStatus,
  OperationPhase,
  OverallState,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { StatusShape, useToneClasses } from './StatusShape';
import {
  HEALTH_PRESENTATION,
  OLD_PRESENTATION,
  PHASE_PRESENTATION,
  STATE_PRESENTATION,
  SYNC_PRESENTATION,
  type Presentation,
} from './presentation';

const useStyles = makeStyles(
  {
    label: {
      display: 'inline-flex',
      alignItems: 'center',
      gap: 6,
      verticalAlign: 'middle',
    },
  },
  { name: 'ArgocdFleetStatusLabel' },
);

/** A shape and a text in the colour of a status. */
export function ShapedText(props: {
  readonly of: Presentation;
  readonly children: ReactNode;
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  return (
    <span className={`${classes.label} ${tones[props.of.tone]}`}>
      <StatusShape of={props.of} />
      <span>{props.children}</span>
    </span>
  );
}

export function HealthLabel(props: {
  readonly status: HealthStatus;
  /** It was so when that was last known. */
  readonly old?: boolean;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { status, old = false } = props;
  const word = t(`health.${status}`);
  return (
    <ShapedText of={old ? OLD_PRESENTATION : HEALTH_PRESENTATION[status]}>
      {old ? t('old.was', { status: word }) : word}
    </ShapedText>
  );
}

export function StateLabel(props: { readonly state: OverallState }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ShapedText of={STATE_PRESENTATION[props.state]}>
      {t(`state.${props.state}`)}
    </ShapedText>
  );
}

/** A sync status, or what it was before the hub wanted something else. */
export function SyncLabel(props: {
  readonly status: SyncStatus;
  /** What it was, where that is only old. */
  readonly was?: SyncStatus;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { status, was } = props;
  if (was) {
    return (
      <span
        title={
          was === status
            ? undefined
            : t('old.title', { status: t(`sync.${status}`) })
        }
      >
        <ShapedText of={OLD_PRESENTATION}>
          {t('old.was', { status: t(`sync.${was}`) })}
        </ShapedText>
      </span>
    );
  }
  return (
    <ShapedText of={SYNC_PRESENTATION[status]}>
      {t(`sync.${status}`)}
    </ShapedText>
  );
}

export function PhaseLabel(props: { readonly phase: OperationPhase }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ShapedText of={PHASE_PRESENTATION[props.phase]}>
      {t(`phase.${props.phase}`)}
    </ShapedText>
  );
}
