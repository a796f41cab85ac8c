import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import type {
  ClusterNames,
  PlacementChange,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import {
  NotSelected,
  PreviewPanel,
  usePreviewStyles,
  Warning,
} from './PreviewText';

/** Which clusters an application comes to and leaves, and what runs on those; `instead` while that is not known. */
export function ChangeText(props: {
  readonly change: PlacementChange | undefined;
  /** Whether a pull request makes the change. */
  readonly keptInGit: boolean | undefined;
  readonly instead: string;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = usePreviewStyles();
  const words = useChangeWords();
  const { change, keptInGit, instead } = props;
  return (
    <>
      <PreviewPanel title={t('target.change.title')}>
        {change ? linesOf(change) : <div>{instead}</div>}
        {change && keptInGit && <div>{t('target.change.keptInGit')}</div>}
      </PreviewPanel>
      {change && <NotSelected preview={change.preview} />}
    </>
  );

  function linesOf({ joining, leaving, preview, resources }: PlacementChange) {
    if (preview.selected === 0) {
      return <Warning text={t('target.change.none')} />;
    }
    if (joining.count === 0 && leaving.count === 0) {
      return <div>{t('target.change.nothing')}</div>;
    }
    return (
      <>
        {joining.count > 0 && (
          <div>
            <span className={classes.count}>{words.joins(joining)}</span>{' '}
            <span className={classes.names}>{words.names(joining)}</span>
          </div>
        )}
        {leaving.count > 0 && (
          <>
            <div>
              <span className={classes.count}>{words.leaves(leaving)}</span>{' '}
              <span className={classes.names}>{words.names(leaving)}</span>
            </div>
            {resources.count > 0 && (
              <div className={classes.names}>
                {t('target.change.leavesRuns', {
                  resources: words.names(resources),
                })}
              </div>
            )}
          </>
        )}
      </>
    );
  }
}

/** The same in one line, for the review of the form; undefined where nothing changes. */
export function useChangeSummary(
  change: PlacementChange | undefined,
): string | undefined {
  const words = useChangeWords();
  if (!change) {
    return undefined;
  }
  const { joining, leaving } = change;
  const parts = [
    ...(joining.count > 0
      ? [`${words.joins(joining)}: ${words.names(joining)}`]
      : []),
    ...(leaving.count > 0
      ? [`${words.leaves(leaving)}: ${words.names(leaving)}`]
      : []),
  ];
  return parts.length > 0 ? parts.join('. ') : undefined;
}

function useChangeWords() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const clusters = ({ count }: ClusterNames) => t('target.clusters', { count });
  return {
    joins: (joining: ClusterNames) =>
      `${t('target.change.joins')} ${clusters(joining)}`,
    leaves: (leaving: ClusterNames) =>
      `${t('target.change.leaves')} ${clusters(leaving)}`,
    names({ count, names }: ClusterNames) {
      if (names.length === 0) {
        return t('target.change.hubChooses');
      }
      const more = count - names.length;
      return more > 0
        ? t('target.preview.more', {
            names: names.join(', '),
            number: String(more),
          })
        : names.join(', ');
    },
  };
}
