import { parseEntityRef } from '@backstage/catalog-model';
import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import {
  COMPONENT_ANNOTATIONS,
  type ApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { applicationSetRouteRef } from '../routes';
import { useTableStyles } from '../section/tableStyles';
import { LabelledBar } from '../status/LabelledBar';
import { healthSegments, syncSegments } from '../status/segments';
import { Age } from '../time/Age';
import { worstMessageOf } from './listRows';

/** The catalog component that the set says it is; other people write the annotation, so it may not be a reference at all. */
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

/** One ApplicationSet in the list. */
export function SetRow(props: { readonly set: ApplicationSet }) {
  const classes = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const detailLink = useRouteRef(applicationSetRouteRef);
  const { set } = props;
  const { ref, summary, lastChange } = set;
  const component = componentOf(set);
  const message = worstMessageOf(set);
  return (
    <tr>
      <td>
        <Link to={detailLink({ ...ref })} title={ref.name}>
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
      <td title={t(`section.modelTitle.${set.deliveryModel}`)}>
        {t(`section.model.${set.deliveryModel}`)}
      </td>
      <td>
        {summary.clusters}
        {summary.stale > 0 && (
          <span className={classes.mark}>
            {t('card.stale', { count: summary.stale })}
          </span>
        )}
      </td>
      <td>
        <LabelledBar of="sync" segments={syncSegments(summary)} />
      </td>
      <td>
        <LabelledBar of="health" segments={healthSegments(summary)} />
      </td>
      <td className={classes.error} title={message}>
        <div className={classes.lines}>{message}</div>
      </td>
      <td className={classes.dim}>{lastChange && <Age at={lastChange} />}</td>
    </tr>
  );
}
