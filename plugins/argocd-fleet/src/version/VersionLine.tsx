import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ApplicationSet,
  RunningRevision,
} from 'backstage-plugin-argocd-fleet-common';
import type { ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { FilterChip } from '../status/FilterChip';
import { Age } from '../time/Age';
import { VersionBar } from './VersionBar';
import { versionText } from './versionText';

/** Versions named; more of them run for a short time only. */
const SHOWN = 4;

const useStyles = makeStyles(
  theme => ({
    line: {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: '4px 8px',
      overflowWrap: 'anywhere',
      whiteSpace: 'normal',
    },
    plain: { columnGap: 5, rowGap: 0 },
    wanted: { fontWeight: 600 },
    dim: { color: fleetPalette(theme).dim },
    bar: { marginTop: 5 },
  }),
  { name: 'ArgocdFleetVersionLine' },
);

/** What the versions are a filter of: a version, or the clusters of which it is not known. */
export type VersionChoice =
  { readonly running: string } | { readonly notKnown: true };

interface Part {
  readonly key: string;
  readonly choice: VersionChoice | undefined;
  readonly pressed: boolean;
  readonly title: string | undefined;
  readonly words: ReactNode;
}

/** The version in words, and on how many clusters it runs: "1.9 (3fb7013) on 38 of 40". */
function useVersionWords() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (revision: RunningRevision, total: number): ReactNode => {
    const { clusters, wanted, completeSince } = revision;
    if (wanted === 0) {
      return t('version.on', { number: String(clusters) });
    }
    if (revision.revision === undefined) {
      return t('version.notCompared');
    }
    if (clusters < total) {
      return t('version.wantedOn', {
        number: String(clusters),
        total: String(total),
      });
    }
    const on = t('version.all', { count: total });
    return completeSince
      ? t('version.allFor', {
          on,
          time: <Age at={completeSince} as="for" />,
        })
      : on;
  };
}

/**
 * What is wanted and what runs, on how many clusters, with a bar by version. Where the versions are filters, each is a
 * button.
 */
export function VersionLine(props: {
  readonly set: Pick<ApplicationSet, 'revisions' | 'notKnown' | 'summary'>;
  /** The version by which is filtered now. */
  readonly chosen?: Partial<{ running: string; notKnown: boolean }>;
  /** Undefined where nothing can be filtered; a pressed filter is replaced by none. */
  readonly onChoose?: (choice: VersionChoice | undefined) => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const wordsOf = useVersionWords();
  const { set, chosen = {}, onChoose } = props;
  const { revisions, notKnown, summary } = set;
  const shown = revisions.filter(
    ({ clusters, wanted }) => clusters + wanted > 0,
  );
  const parts: Part[] = shown.slice(0, SHOWN).map(revision => {
    const { name, commit } = versionText(
      revision.targetRevisions,
      revision.revision,
    );
    const isWanted = revision.wanted > 0;
    const { comparedBy } = revision;
    const version = commit ? t('version.named', { name, commit }) : name;
    return {
      key: revision.revision ?? name,
      choice:
        revision.revision !== undefined && revision.clusters > 0
          ? { running: revision.revision }
          : undefined,
      pressed:
        chosen.running !== undefined && chosen.running === revision.revision,
      title: comparedBy
        ? t('version.comparedBy', { version, cluster: comparedBy.cluster })
        : undefined,
      words: (
        <>
          <span className={isWanted ? classes.wanted : ''}>{name}</span>
          {commit && ` (${commit})`} {wordsOf(revision, summary.clusters)}
        </>
      ),
    };
  });
  const more = shown.length - SHOWN;
  if (notKnown > 0) {
    parts.push({
      key: '?',
      choice: { notKnown: true },
      pressed: Boolean(chosen.notKnown),
      title: undefined,
      words: <>{t('version.notKnown', { number: String(notKnown) })}</>,
    });
  }
  return (
    <div>
      <div
        className={`${classes.line} ${onChoose ? '' : classes.plain}`}
        role="group"
        aria-label={t(onChoose ? 'version.filter' : 'version.label')}
      >
        {parts.map(({ key, choice, pressed, title, words }, index) =>
          onChoose && choice ? (
            <FilterChip
              key={key}
              pressed={pressed}
              title={title}
              onClick={() => onChoose(pressed ? undefined : choice)}
            >
              <span>{words}</span>
            </FilterChip>
          ) : (
            <span key={key} title={title}>
              {words}
              {!onChoose && (index < parts.length - 1 || more > 0) && (
                <span className={classes.dim}>&nbsp;·</span>
              )}
            </span>
          ),
        )}
        {more > 0 && (
          <span className={classes.dim}>
            {t('version.more', { count: more })}
          </span>
        )}
      </div>
      <div className={classes.bar}>
        <VersionBar set={set} />
      </div>
    </div>
  );
}
