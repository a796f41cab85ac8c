import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { PastSync, Source } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revisions } from '../source/Revisions';
import { AgeAndClock } from '../time/Age';
import { useDetailStyles } from './detailStyles';
import { DetailTable } from './DetailTable';

/** The last syncs that succeeded, the latest first; renders nothing where there are none. */
export function SyncHistory(props: {
  readonly history: readonly PastSync[] | undefined;
  readonly sources: readonly Source[];
}) {
  const classes = useDetailStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { history = [], sources } = props;
  if (history.length === 0) {
    return null;
  }
  return (
    <>
      <h3>{t('drawer.syncs')}</h3>
      <DetailTable
        label={t('drawer.syncs')}
        headings={[
          t('drawer.syncId'),
          t('drawer.revision'),
          t('drawer.deployedAt'),
        ]}
      >
        {history.map(sync => (
          <tr key={sync.id}>
            <td>{sync.id}</td>
            <td className={classes.name}>
              <Revisions of={sync} sources={sources} />
            </td>
            <td>{sync.deployedAt && <AgeAndClock at={sync.deployedAt} />}</td>
          </tr>
        ))}
      </DetailTable>
    </>
  );
}
