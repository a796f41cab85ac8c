import { makeStyles } from '@material-ui/core/styles';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { FindingBox } from './FindingBox';
import { FindingCode } from './FindingCode';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';

const useStyles = makeStyles(
  {
    finding: { margin: '0 0 12px', maxWidth: 860 },
    title: { fontWeight: 500, fontSize: 14 },
  },
  { name: 'ArgocdFleetSetFindings' },
);

/** Findings of an ApplicationSet or a hub, not of a single cluster. */
export function SetFindings(props: { readonly findings: readonly Finding[] }) {
  const classes = useStyles();
  return (
    <>
      {props.findings.map(finding => (
        <div
          key={`${finding.code}/${finding.title}`}
          className={classes.finding}
        >
          <span className={classes.title}>
            <ShapedText of={SEVERITY_PRESENTATION[finding.severity]}>
              {finding.title} <FindingCode code={finding.code} />
            </ShapedText>
          </span>
          <FindingBox finding={finding} />
        </div>
      ))}
    </>
  );
}
