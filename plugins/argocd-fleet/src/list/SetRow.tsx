import { parseEntityRef } from '@backstage/catalog-model';
import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import {
  COMPONENT_ANNOTATIONS,
  type ApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { useLocation } from 'react-router-dom';
import { argocdFleetTranslationRef } from '../messages';
import { applicationSetRouteRef } from '../routes';
import { useTableStyles } from '../table/tableStyles';
import { LabelledBar } from '../status/LabelledBar';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { healthSegments, syncSegments } from '../status/segments';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { Age } from '../time/Age';
import { worstProblemOf, type Problem } from './listRows';

/** The catalog component named by the ApplicationSet's annotation; undefined if that is no entity reference. */
function componentOf(set: ApplicationSet) {
  const name = set.annotations?.[COMPONENT_ANNOTATIONS.name];
  if (!name) {
    return undefined;
  }
  try {
    return parseEntityRef(name, {
      defaultKind: 'component',
      defaultNamespace: 'default',
    });
  } catch {
    return undefined;
  }
}

/** The most urgent problem, with the colour and shape of its severity. */
function FirstProblem(props: { readonly problem: Problem }) {
  const classes = useTableStyles();
  const tones = useToneClasses();
  const { severity, text } = props.problem;
  const presentation = SEVERITY_PRESENTATION[severity];
  return (
    <div className={`${classes.problem} ${tones[presentation.tone]}`}>
      <StatusShape of={presentation} />
      <span className={classes.lines}>{text}</span>
    </div>
  );
}

/** One ApplicationSet in the list. */
export function SetRow(props: {
  readonly set: ApplicationSet;
  /** The row is a card, without a heading above the number of clusters. */
  readonly card: boolean;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const detailLink = useRouteRef(applicationSetRouteRef);
  const { search } = useLocation();
  const { set, card } = props;
  const { ref, summary, lastChange } = set;
  const component = componentOf(set);
  const problem = worstProblemOf(set);
  return (
    <tr>
      <td>
        <Link
          to={detailLink({ ...ref })}
          state={{ listSearch: search }}
          title={ref.name}
        >
          {ref.name}
        </Link>
        <div className={classes.dim}>
          {ref.namespace} · {ref.hub}
        </div>
        {component && (
          <div className={classes.dim}>
            <EntityRefLink entityRef={component} />
          </div>
        )}
      </td>
      <td
        className={classes.optional}
        title={t(`section.modelTitle.${set.deliveryModel}`)}
      >
        {t(`section.model.${set.deliveryModel}`)}
      </td>
      <td>
        <div className={classes.marked}>
          {card
            ? t('card.clusters', { count: summary.clusters })
            : summary.clusters}
          {summary.stale > 0 && (
            <span className={classes.mark}>
              {t('card.stale', { count: summary.stale })}
            </span>
          )}
        </div>
      </td>
      <td>
        <LabelledBar of="sync" segments={syncSegments(summary)} />
      </td>
      <td>
        <LabelledBar of="health" segments={healthSegments(summary)} />
      </td>
      <td className={classes.error} title={problem?.text}>
        {problem && <FirstProblem problem={problem} />}
      </td>
      <td className={`${classes.dim} ${classes.optional}`}>
        {lastChange && <Age at={lastChange} />}
      </td>
    </tr>
  );
}
