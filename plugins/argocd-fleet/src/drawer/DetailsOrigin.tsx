import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Age } from '../time/Age';
import { useDetailStyles } from './detailStyles';
import { unusualOrigins } from './origins';

/** Sources that have a name; another one's id is its name. */
const NAMED = ['manifestWork', 'application', 'search'] as const;

/** Says where details are from that did not come the usual way, and how old they are; nothing where all of them did. */
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
