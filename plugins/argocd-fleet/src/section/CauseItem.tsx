import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import ButtonBase from '@material-ui/core/ButtonBase';
import { makeStyles } from '@material-ui/core/styles';
import type { Cause } from 'backstage-plugin-argocd-fleet-common';
import { useState } from 'react';
import { FindingBox } from '../findings/FindingBox';
import { FindingCode } from '../findings/FindingCode';
import { argocdFleetTranslationRef } from '../messages';
import { fleetPalette } from '../status/palette';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { StatusShape, useToneClasses } from '../status/StatusShape';
import { TextButton } from '../status/TextButton';
import { Age } from '../time/Age';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      cause: {
        background: theme.palette.background.paper,
        border: `1px solid ${palette.line}`,
        borderRadius: 6,
        marginTop: 6,
        padding: '4px 10px',
      },
      line: {
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        columnGap: 10,
      },
      filter: {
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'flex-start',
        flexWrap: 'wrap',
        gap: '2px 8px',
        flex: '1 1 260px',
        minWidth: 0,
        padding: '5px 6px',
        borderRadius: 4,
        fontSize: 14,
        fontFamily: 'inherit',
        textAlign: 'left',
        '&:hover': { background: palette.chip },
        '&[aria-pressed="true"]': {
          background: palette.chip,
          outline: `2px solid ${theme.palette.primary.main}`,
        },
        '&&:focus-visible': {
          outline: `3px solid ${palette.busy}`,
          outlineOffset: 1,
        },
      },
      reason: {
        display: 'inline-flex',
        alignItems: 'center',
        gap: 8,
        maxWidth: '100%',
      },
      title: { fontWeight: 500, overflowWrap: 'anywhere' },
      example: { color: palette.dim, fontSize: 13, margin: '4px 6px 0' },
      facts: { color: palette.dim, whiteSpace: 'nowrap' },
    };
  },
  { name: 'ArgocdFleetCauseItem' },
);

/** One cause: a button that filters by it, and its finding on demand. */
export function CauseItem(props: {
  readonly cause: Cause;
  readonly pressed: boolean;
  readonly onToggle: () => void;
}) {
  const classes = useStyles();
  const tones = useToneClasses();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [expanded, setExpanded] = useState(false);
  const { severity, title, finding, example, clusters, since } = props.cause;
  const presentation = SEVERITY_PRESENTATION[severity];
  const what = finding?.fix ? 'Fix' : 'Details';
  return (
    <li className={classes.cause}>
      <div className={classes.line}>
        <ButtonBase
          className={classes.filter}
          aria-pressed={props.pressed}
          onClick={props.onToggle}
          disableRipple
        >
          <span className={classes.reason}>
            <StatusShape of={presentation} />
            <span className={`${classes.title} ${tones[presentation.tone]}`}>
              {title}
            </span>
          </span>
          <span className={classes.facts}>
            {finding && (
              <>
                <FindingCode code={finding.code} link={false} />
                {' · '}
              </>
            )}
            {t('causes.clusters', { count: clusters })}
            {since && (
              <>
                {' · '}
                {t('causes.for', { time: <Age at={since} as="for" /> })}
              </>
            )}
          </span>
        </ButtonBase>
        {finding && (
          <TextButton
            aria-expanded={expanded}
            onClick={() => setExpanded(!expanded)}
          >
            {t(expanded ? `causes.hide${what}` : `causes.show${what}`)}
          </TextButton>
        )}
      </div>
      {finding && expanded && (
        <>
          {clusters > 1 && (
            <div className={classes.example}>
              {t('causes.example', { cluster: example })}
            </div>
          )}
          <FindingBox finding={finding} />
        </>
      )}
    </li>
  );
}
