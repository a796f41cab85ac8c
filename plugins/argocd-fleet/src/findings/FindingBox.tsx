import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette, toneRules } from '../status/palette';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { CopyableCode, useCodeStyles } from '../code/CopyableCode';
import { FindingCode } from './FindingCode';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      box: {
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        padding: '10px 12px',
        margin: '6px 0 2px',
        fontSize: 13,
        color: theme.palette.text.primary,
        '& p': { margin: 0, overflowWrap: 'anywhere' },
        '& p + p': { marginTop: 6 },
      },
      ...toneRules(theme, 'borderColor'),
      alternatives: {
        marginTop: 6,
        '& > summary': { cursor: 'pointer', width: 'fit-content' },
        '& > summary:focus-visible': { outline: `2px solid ${palette.busy}` },
      },
      alternative: { margin: '10px 0 6px' },
      title: { fontWeight: 600, fontSize: 14 },
    };
  },
  { name: 'ArgocdFleetFindingBox' },
);

/** What is wrong, what to do about it, and the cluster's own message. */
export function FindingBox(props: {
  readonly finding: Finding;
  /** Shows the title in the box, where the page does not show it next to the box. */
  readonly showTitle?: boolean;
}) {
  const classes = useStyles();
  const codeClasses = useCodeStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { code, severity, title, message, evidence, fix } = props.finding;
  const { tone } = SEVERITY_PRESENTATION[severity];
  return (
    // No landmark: a page may have several, and those need different names.
    <div
      role="group"
      className={`${classes.box} ${classes[tone]}`}
      aria-label={t('drawer.finding')}
    >
      {props.showTitle && (
        <p>
          <span className={classes.title}>{title}</span>{' '}
          <FindingCode code={code} />
        </p>
      )}
      <p>{message}</p>
      {fix && (
        <>
          <p>{fix.description}</p>
          {fix.command && <CopyableCode text={fix.command} />}
          {fix.alternatives && fix.alternatives.length > 0 && (
            <details className={classes.alternatives}>
              <summary>
                {t('drawer.otherWays', { count: fix.alternatives.length })}
              </summary>
              {fix.alternatives.map(({ description, command }) => (
                <div key={command} className={classes.alternative}>
                  <p>{description}</p>
                  <CopyableCode text={command} />
                </div>
              ))}
            </details>
          )}
        </>
      )}
      {evidence && evidence !== message && (
        <pre className={codeClasses.message} aria-label={t('drawer.evidence')}>
          {evidence}
        </pre>
      )}
    </div>
  );
}
