import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  NotSelectedCluster,
  PlacementPreview,
} from 'backstage-plugin-argocd-fleet-common';
import type { ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import type { Presentation } from '../status/presentation';
import { StatusShape } from '../status/StatusShape';

/** Characters of the value of a label, which the name of an Application is where Argo CD tracks by label. */
const MAX_LABEL = 63;

/** Characters of the longest name `<cluster>-<ApplicationSet>`; 0 where the ApplicationSet has no name yet. */
function longestApplicationName(
  { longestName }: PlacementPreview,
  name: string | undefined,
): number {
  return name && longestName > 0 ? longestName + 1 + name.length : 0;
}

const WARNING: Presentation = { shape: 'triangle', tone: 'warn' };

/** Styles of the panel, and of what is in it. */
export const usePreviewStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      preview: {
        ...theme.typography.body2,
        color: theme.palette.text.primary,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        padding: '10px 14px',
        margin: '16px 0 8px',
        // Of two lines: the form does not jump when an answer comes.
        minHeight: 62,
        boxSizing: 'border-box',
        overflowWrap: 'anywhere',
      },
      title: { ...theme.typography.caption, color: palette.dim },
      line: { display: 'flex', gap: 6, alignItems: 'center' },
      count: { fontWeight: 500 },
      names: { color: palette.dim },
      others: { ...theme.typography.body2, margin: '0 0 8px' },
      summary: { cursor: 'pointer', padding: '4px 14px' },
      list: { margin: 0, padding: '4px 14px 4px 34px' },
    };
  },
  { name: 'ArgocdFleetPlacementPreview' },
);

/** Which clusters a selection selects now. */
export function PreviewText(props: {
  readonly preview: PlacementPreview | undefined;
  /** Name of the ApplicationSet, which is part of the names of its Applications. */
  readonly name?: string;
  /** Shown without a preview. */
  readonly instead: string;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { preview, name, instead } = props;
  return (
    <>
      <PreviewPanel title={t('target.preview.title')}>
        {preview ? (
          <Clusters preview={preview} name={name} />
        ) : (
          <div>{instead}</div>
        )}
      </PreviewPanel>
      {preview && <NotSelected preview={preview} />}
    </>
  );
}

/** Of each cluster that is not selected, why; closed at first, and outside of what is read aloud when it changes. */
export function NotSelected(props: { readonly preview: PlacementPreview }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = usePreviewStyles();
  const { notSelected, notSelectedCount: count } = props.preview;
  const more = count - notSelected.length;
  return count === 0 ? null : (
    <details className={classes.others}>
      <summary className={classes.summary}>
        {t('target.preview.notSelected', { count })}
      </summary>
      <ul className={classes.list}>
        {notSelected.map(each => (
          <li key={each.cluster}>
            {each.cluster}{' '}
            <span className={classes.names}>{reasonOf(each)}</span>
          </li>
        ))}
        {more > 0 && (
          <li className={classes.names}>
            {t('target.preview.notSelectedMore', { number: String(more) })}
          </li>
        )}
      </ul>
    </details>
  );

  function reasonOf({ reason, wanted = '', actual }: NotSelectedCluster) {
    switch (reason) {
      case 'taint':
        return t('target.preview.whyNot.taint', { actual: actual ?? '' });
      case 'label':
      case 'claim': {
        const key = wanted.slice(0, wanted.indexOf('='));
        return actual === undefined
          ? t(`target.preview.whyNot.${reason}Missing`, { wanted })
          : t(`target.preview.whyNot.${reason}`, {
              wanted,
              actual: `${key}=${actual}`,
            });
      }
      case 'clusterSet':
        return actual === undefined
          ? t('target.preview.whyNot.clusterSetMissing')
          : t('target.preview.whyNot.clusterSet', { actual });
      default:
        return t('target.preview.whyNot.deleting');
    }
  }
}

/** A frame below the fields, for what their values mean now. */
export function PreviewPanel(props: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  const classes = usePreviewStyles();
  return (
    <div className={classes.preview} role="status">
      <div className={classes.title}>{props.title}</div>
      {props.children}
    </div>
  );
}

/** How many clusters are selected, and which; where the hub chooses, those that it chooses from. */
function usePreviewWords() {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return ({ clusters, matching, selected }: PlacementPreview) => {
    const names = clusters.join(', ');
    const more = matching - clusters.length;
    return {
      number:
        selected < matching
          ? t('target.preview.some', {
              selected: String(selected),
              count: matching,
            })
          : t('target.clusters', { count: matching }),
      choice: selected < matching ? t('target.preview.hubChooses') : undefined,
      names:
        more > 0
          ? t('target.preview.more', { names, number: String(more) })
          : names,
    };
  };
}

/** The same in one line, for the review of the form; undefined where no cluster is selected. */
export function useSelectedText(
  preview: PlacementPreview | undefined,
): string | undefined {
  const wordsOf = usePreviewWords();
  if (!preview || preview.matching === 0) {
    return undefined;
  }
  const { number, choice, names } = wordsOf(preview);
  return choice ? `${number}. ${choice} ${names}` : `${number}: ${names}`;
}

function Clusters(props: {
  readonly preview: PlacementPreview;
  readonly name: string | undefined;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = usePreviewStyles();
  const { clusterSets, matching, tainted, unboundSets } = props.preview;
  const { number, choice, names } = usePreviewWords()(props.preview);
  const longest = longestApplicationName(props.preview, props.name);
  return (
    <>
      {matching === 0 ? (
        <Warning
          text={t(
            clusterSets.length === 0
              ? 'target.preview.noneBound'
              : 'target.preview.none',
          )}
        />
      ) : (
        <div>
          <span className={classes.count}>{number}</span>{' '}
          <span className={classes.names}>
            {choice && `${choice} `}
            {names}
          </span>
        </div>
      )}
      {unboundSets.length > 0 && (
        <Warning
          text={t('target.preview.unbound', { sets: unboundSets.join(', ') })}
        />
      )}
      {tainted > 0 && (
        <Warning text={t('target.preview.tainted', { count: tainted })} />
      )}
      {longest > MAX_LABEL && (
        <Warning
          text={t('target.preview.longNames', { number: String(longest) })}
        />
      )}
    </>
  );
}

/** A line about what may be wrong. */
export function Warning(props: { readonly text: string }) {
  const classes = usePreviewStyles();
  return (
    <div className={classes.line}>
      <StatusShape of={WARNING} />
      {props.text}
    </div>
  );
}
