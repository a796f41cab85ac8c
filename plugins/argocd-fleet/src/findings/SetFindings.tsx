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

/** Findings of an ApplicationSet, a hub or a cluster, not of a single Application. */
export function SetFindings(props: { readonly findings: readonly Finding[] }) {
  const classes = useStyles();
  return (
    <>
      {props.findings.map(finding => (
        <div key={keyOf(finding)} className={classes.finding}>
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

/** Some differ only in the object that they are about. */
function keyOf({ code, title, object }: Finding): string {
  return [code, title, object?.namespace, object?.name].join('/');
}
