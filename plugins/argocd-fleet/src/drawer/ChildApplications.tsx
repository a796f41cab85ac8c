import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { ChildApplication } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { HealthLabel, SyncLabel } from '../status/StatusLabel';
import { useDetailStyles } from './detailStyles';
import { DetailTable } from './DetailTable';

/** Applications that this one deploys; renders nothing where there are none. */
export function ChildApplications(props: {
  readonly applications: readonly ChildApplication[] | undefined;
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { applications = [] } = props;
  if (applications.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{t('drawer.children')}</h3>
      <DetailTable
        label={t('drawer.children')}
        headings={[t('drawer.name'), t('table.sync'), t('table.health')]}
      >
        {applications.map(({ namespace, name, sync, health }) => (
          <tr key={`${namespace}/${name}`}>
            <td className={classes.name} title={namespace}>
              {name}
            </td>
            <td>
              <SyncLabel status={sync} />
            </td>
            <td>
              <HealthLabel status={health} />
            </td>
          </tr>
        ))}
      </DetailTable>
    </>
  );
}
