import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSetRows } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';

/** Number of reasons that fit on one line. */
const SHOWN = 5;

const useStyles = makeStyles(
  theme => ({
    line: { color: fleetPalette(theme).dim, fontSize: 13, margin: '10px 2px' },
  }),
  { name: 'ArgocdFleetExcludedLine' },
);

/** Applications that are not delivered on purpose, with the reasons. */
export function ExcludedLine(props: {
  readonly excluded: ApplicationSetRows['excluded'];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { excluded } = props;
  if (excluded.length === 0) {
    return null;
  }
  // Several Applications for one cluster have the same reason.
  const reasons = [...new Set(excluded.map(({ reason }) => reason))];
  const named = reasons.slice(0, SHOWN).join('; ');
  const list =
    reasons.length > SHOWN
      ? t('section.excludedMore', {
          list: named,
          number: String(reasons.length - SHOWN),
        })
      : named;
  return (
    <p className={classes.line}>
      {t('section.excluded', { count: excluded.length, list })}
    </p>
  );
}
