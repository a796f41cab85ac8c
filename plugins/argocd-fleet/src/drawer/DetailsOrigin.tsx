import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';
import { useDetailStyles } from './detailStyles';
import { unusualOrigins } from './origins';

/** Sources with a translated name; any other is shown by its id. */
const NAMED = ['manifestWork', 'application', 'search'] as const;

/** Names the source of details that are not from the usual one, with their age; renders nothing if all details are. */
export function DetailsOrigin(props: {
  readonly application: ClusterApplication;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <>
      {unusualOrigins(props.application).map(({ source, parts }) => {
        const { from, observedAt, completed } = source;
        const named = NAMED.find(name => name === from);
        const words = {
          source: named ? t(`origin.${named}`) : from,
          parts: parts.map(part => t(`origin.${part}`)).join(', '),
        };
        const verb = completed ? 'completed' : 'from';
        return (
          <div key={parts[0]} className={classes.note}>
            {observedAt
              ? t(`origin.${verb}AsOf`, {
                  ...words,
                  age: <Age at={observedAt} />,
                })
              : t(`origin.${verb}`, words)}
          </div>
        );
      })}
    </>
  );
}
