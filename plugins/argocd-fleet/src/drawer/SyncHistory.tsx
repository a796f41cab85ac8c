import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type { PastSync, Source } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revisions } from '../source/Revisions';
import { Age } from '../time/Age';
import { useDetailStyles } from './detailStyles';

/** What Argo CD deployed before, the latest first; nothing where it never did. */
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
      <table className={classes.table} aria-label={t('drawer.syncs')}>
        <thead>
          <tr>
            <th scope="col">{t('drawer.syncId')}</th>
            <th scope="col">{t('drawer.revision')}</th>
            <th scope="col">{t('drawer.deployedAt')}</th>
          </tr>
        </thead>
        <tbody>
          {history.map(sync => (
            <tr key={sync.id}>
              <td>{sync.id}</td>
              <td className={classes.name}>
                <Revisions of={sync} sources={sources} />
              </td>
              <td>{sync.deployedAt && <Age at={sync.deployedAt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
