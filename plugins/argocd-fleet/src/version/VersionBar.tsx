import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { versionText } from './versionText';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    const paper = theme.palette.background.paper;
    return {
      bar: {
        display: 'flex',
        gap: 2,
        height: 8,
        borderRadius: 4,
        overflow: 'hidden',
        background: palette.line,
      },
      segment: { minWidth: 4 },
      wanted: { background: palette.good },
      other: { background: palette.warn, opacity: 0.75 },
      notKnown: {
        background: palette.unknown,
        backgroundImage: `repeating-linear-gradient(135deg, transparent 0 3px, ${paper} 3px 5px)`,
      },
    };
  },
  { name: 'ArgocdFleetVersionBar' },
);

/** Shares of clusters by version: the wanted ones in one colour, others in another, hatched where it is not known. */
export function VersionBar(props: {
  readonly set: Pick<ApplicationSet, 'revisions' | 'notKnown'>;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { revisions, notKnown } = props.set;
  const running = revisions.filter(({ clusters }) => clusters > 0);
  const label = [
    ...running.map(({ targetRevisions, revision, clusters, wanted }) => {
      const { name } = versionText(targetRevisions, revision);
      const on = t('version.on', { number: String(clusters) });
      return `${name} ${on}${wanted > 0 ? `, ${t('version.wantedWord')}` : ''}`;
    }),
    ...(notKnown > 0
      ? [t('version.notKnown', { number: String(notKnown) })]
      : []),
  ].join('; ');
  return (
    <div
      className={classes.bar}
      role="img"
      aria-label={`${t('version.bar')}: ${label || t('version.notKnownWord')}`}
    >
      {running.map(({ revision, clusters, wanted }) => (
        <div
          key={revision}
          className={`${classes.segment} ${wanted > 0 ? classes.wanted : classes.other}`}
          style={{ flexGrow: clusters }}
        />
      ))}
      {notKnown > 0 && (
        <div
          className={`${classes.segment} ${classes.notKnown}`}
          style={{ flexGrow: notKnown }}
        />
      )}
    </div>
  );
}
