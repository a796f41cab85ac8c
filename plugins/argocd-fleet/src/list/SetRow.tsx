import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
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
import { useModelText } from '../section/useModelText';
import { useTableStyles } from '../table/tableStyles';
import { FindingCode } from '../findings/FindingCode';
import { LabelledBar } from '../status/LabelledBar';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { exceptionSegments, stateSegments } from '../status/segments';
import { StatusCounts } from '../status/StatusCounts';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { Age } from '../time/Age';
import { VersionLine } from '../version/VersionLine';
import { worstProblemOf, type Problem } from './listRows';
import type { ComponentsOf } from './useLinkedComponents';

/** Of the components that link to an ApplicationSet. */
const SHOWN_COMPONENTS = 3;

/** The component of that name is not this ApplicationSet's, if there is one. */
const REFUSED = ['AFC-306', 'AFC-307', 'AFC-444', 'AFC-445'];

/** The catalog component named by the ApplicationSet's annotation; undefined if that is no entity reference. */
function componentOf(set: ApplicationSet) {
  return set.findings.some(({ code }) => REFUSED.includes(code))
    ? undefined
    : entityIn(set.annotations?.[COMPONENT_ANNOTATIONS.name], 'component');
}

/** An entity reference for links; undefined where the text is none. */
function entityIn(text: string | undefined, defaultKind: string) {
  try {
    return text
      ? parseEntityRef(text, { defaultKind, defaultNamespace: 'default' })
      : undefined;
  } catch {
    return undefined;
  }
}

/** The most urgent problem, with the colour and shape of its severity. */
function FirstProblem(props: { readonly problem: Problem }) {
  const classes = useTableStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { severity, text, code, since } = props.problem;
  const presentation = SEVERITY_PRESENTATION[severity];
  return (
    <div className={`${classes.problem} ${tones[presentation.tone]}`}>
      <StatusShape of={presentation} />
      <div>
        <span className={classes.lines}>{text}</span>
        <span className={classes.dim}>
          {code && <FindingCode code={code} tabIndex={-1} />}
          {code && since && ' · '}
          {since && t('causes.for', { time: <Age at={since} as="for" /> })}
        </span>
      </div>
    </div>
  );
}

/** One ApplicationSet in the list. */
export function SetRow(props: {
  readonly set: ApplicationSet;
  /** Index among all rows, from 0. */
  readonly index: number;
  /** The Tab key reaches this row of the table. */
  readonly active: boolean;
  readonly componentsOf: ComponentsOf;
  /** The row is a card, without a heading above the number of clusters. */
  readonly card: boolean;
}) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const detailLink = useRouteRef(applicationSetRouteRef);
  const { search } = useLocation();
  const { set, index, active, card } = props;
  const { ref, summary, lastChange } = set;
  const model = useModelText()(set);
  const linked = props.componentsOf(set);
  const own = componentOf(set);
  const components = own
    ? [{ entity: own, via: undefined }]
    : linked.slice(0, SHOWN_COMPONENTS).flatMap(({ entityRef, via }) => {
        const entity = entityIn(entityRef, 'component');
        return entity ? { entity, via } : [];
      });
  const owner = entityIn(
    set.annotations?.[COMPONENT_ANNOTATIONS.owner] ??
      linked.find(each => each.owner)?.owner,
    'group',
  );
  const problem = worstProblemOf(set);
  return (
    <tr data-index={index}>
      <td role="gridcell">
        <Link
          to={detailLink({ ...ref })}
          state={{ listSearch: search }}
          title={ref.name}
          tabIndex={active ? 0 : -1}
        >
          {ref.name}
        </Link>
        <div className={`${classes.dim} ${classes.wrapped}`}>
          {ref.namespace} · {ref.hub} ·{' '}
          <span title={model.title}>{model.name}</span>
        </div>
        {components.length > 0 && (
          <div className={`${classes.dim} ${classes.wrapped}`}>
            {components.map(({ entity, via }) => (
              <span
                key={stringifyEntityRef(entity)}
                title={via && t('section.linkedBy', { via })}
              >
                <EntityRefLink
                  className={classes.entity}
                  entityRef={entity}
                  tabIndex={-1}
                />
              </span>
            ))}
            {!own &&
              linked.length > SHOWN_COMPONENTS &&
              t('list.moreComponents', {
                number: String(linked.length - SHOWN_COMPONENTS),
              })}
          </div>
        )}
        {owner && (
          <div className={`${classes.dim} ${classes.wrapped}`}>
            {t('list.owner')}{' '}
            <EntityRefLink entityRef={owner} hideIcon tabIndex={-1} />
          </div>
        )}
      </td>
      <td role="gridcell">
        {summary.clusters > 0 && <VersionLine set={set} />}
      </td>
      <td role="gridcell">
        <div className={classes.marked}>
          {card
            ? t('card.clusters', { count: summary.clusters })
            : summary.clusters}
          {summary.withoutCluster !== undefined && (
            <span className={classes.mark}>
              {t('table.withoutCluster', { count: summary.withoutCluster })}
            </span>
          )}
          {summary.stale > 0 && (
            <span className={classes.mark}>
              {t('card.stale', { count: summary.stale })}
            </span>
          )}
        </div>
      </td>
      <td role="gridcell">
        <LabelledBar of="state" segments={stateSegments(summary)} />
        <StatusCounts segments={exceptionSegments(summary)} />
      </td>
      <td role="gridcell" className={classes.error} title={problem?.text}>
        {problem && <FirstProblem problem={problem} />}
      </td>
      <td role="gridcell" className={`${classes.dim} ${classes.optional}`}>
        {lastChange && <Age at={lastChange} />}
      </td>
    </tr>
  );
}
