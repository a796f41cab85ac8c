import { makeStyles } from '@material-ui/core/styles';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  HealthStatus,
  OperationPhase,
  SyncStatus,
} from 'backstage-plugin-argocd-fleet-common';
import type { ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { StatusShape, useToneClasses } from './StatusShape';
import {
  HEALTH_PRESENTATION,
  PHASE_PRESENTATION,
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

export function HealthLabel(props: { readonly status: HealthStatus }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ShapedText of={HEALTH_PRESENTATION[props.status]}>
      {t(`health.${props.status}`)}
    </ShapedText>
  );
}

export function SyncLabel(props: { readonly status: SyncStatus }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ShapedText of={SYNC_PRESENTATION[props.status]}>
      {t(`sync.${props.status}`)}
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
