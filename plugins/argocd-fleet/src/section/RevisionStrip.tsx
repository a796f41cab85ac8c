import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import type { RunningRevision } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { shortRevision } from '../source/repositoryLinks';
import { fleetPalette } from '../status/palette';
import { useTableStyles } from '../table/tableStyles';
import type { RowFilter } from './rows';
import type { RowChoice } from './useSectionState';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      strip: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: '6px 8px',
        marginTop: 12,
        fontSize: 13,
        color: palette.dim,
      },
      filter: {
        gap: 6,
        padding: '4px 10px',
        borderRadius: 14,
        border: `1px solid ${palette.line}`,
        background: theme.palette.background.paper,
        color: theme.palette.text.primary,
        font: 'inherit',
        '&:hover': { borderColor: palette.dim },
        '&[aria-pressed="true"]': {
          outline: `2px solid ${theme.palette.primary.main}`,
        },
        '&&:focus-visible': {
          outline: `3px solid ${palette.busy}`,
          outlineOffset: 1,
        },
      },
    };
  },
  { name: 'ArgocdFleetRevisionStrip' },
);

/** How far a rollout is: the revisions that run, and the clusters that are behind; each a filter. */
export function RevisionStrip(props: {
  readonly revisions: readonly RunningRevision[];
  /** Number of clusters that run another revision than the wanted one. */
  readonly behind: number;
  readonly filter: RowFilter;
  /** A pressed filter is replaced by none. */
  readonly onChoose: (choice: RowChoice) => void;
}) {
  const classes = useStyles();
  const tableClasses = useTableStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { behind, filter, onChoose } = props;
  const running = props.revisions.filter(({ clusters }) => clusters > 0);
  if (running.length < 2 && behind === 0) {
    return null;
  }
  return (
    <div
      className={classes.strip}
      role="group"
      aria-label={t('revisions.label')}
    >
      {t('revisions.running')}
      {running.map(({ revision, clusters, wanted }) => {
        const pressed = filter.running === revision;
        return (
          <ButtonBase
            key={revision}
            className={classes.filter}
            aria-pressed={pressed}
            title={t('revisions.title', { count: wanted, revision })}
            onClick={() => onChoose(pressed ? {} : { running: revision })}
            disableRipple
          >
            <code className={tableClasses.code}>{shortRevision(revision)}</code>
            {t('revisions.on', { count: clusters })}
          </ButtonBase>
        );
      })}
      {behind > 0 && (
        <ButtonBase
          className={classes.filter}
          aria-pressed={Boolean(filter.behind)}
          onClick={() => onChoose(filter.behind ? {} : { behind: true })}
          disableRipple
        >
          {t('revisions.behind', { count: behind })}
        </ButtonBase>
      )}
    </div>
  );
}
