import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import type {
  ApplicationRow,
  ObjectRef,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { useMemo } from 'react';
import { useApplication } from '../live/queries';
import { serverMessageOf } from '../live/requestProblem';
import { argocdFleetTranslationRef } from '../messages';
import { RequestNotice } from '../notice/RequestNotice';
import { fleetPalette } from '../status/palette';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';
import { ApplicationFacts } from './ApplicationFacts';
import { ChildApplications } from './ChildApplications';
import { ClusterFindings } from './ClusterFindings';
import { Conditions } from './Conditions';
import { DeliveryPath } from './DeliveryPath';
import { DetailsOrigin } from './DetailsOrigin';
import { ExternalLinks } from './ExternalLinks';
import { ResourcesTable } from './ResourcesTable';
import { Rollouts } from './Rollouts';
import { SyncHistory } from './SyncHistory';
import { Timeline } from './timeline/Timeline';

const useStyles = makeStyles(
  theme => ({
    problem: { marginTop: 16 },
    notFresh: {
      color: fleetPalette(theme).bad,
      fontSize: 13,
      marginTop: 8,
      overflowWrap: 'anywhere',
    },
  }),
  { name: 'ArgocdFleetApplicationDetails' },
);

/** In place of the details while they load: the problem that the table shows, and a skeleton. */
function Loading(props: { readonly problem: ApplicationRow['problem'] }) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { problem } = props;
  return (
    <>
      {problem && (
        <div className={classes.problem}>
          <ShapedText of={SEVERITY_PRESENTATION[problem.severity]}>
            {problem.title}
          </ShapedText>
        </div>
      )}
      <div role="status" aria-busy="true" aria-label={t('drawer.loading')}>
        {['path', 'resources'].map(part => (
          <div key={part} className={classes.problem}>
            <Skeleton height={30} width="60%" />
            <Skeleton height={30} />
            <Skeleton height={30} width="85%" />
          </div>
        ))}
      </div>
    </>
  );
}

/** What the drawer loads of an Application when it opens, and again when the ApplicationSet changes. */
export function ApplicationDetails(props: {
  readonly row: ApplicationRow;
  readonly set: ObjectRef;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { row, set, sources } = props;
  const ref = { hub: set.hub, ...row.application };
  const { data, error, updatedAt } = useApplication(ref, set);

  // Elements that stay the same while the details do: only the timeline is loaded again.
  const first = useMemo(
    () =>
      data && (
        <>
          <ExternalLinks urls={data.externalUrls} />
          <DeliveryPath steps={data.steps} />
          <ClusterFindings
            cluster={data.cluster.name}
            findings={data.clusterFindings}
            steps={data.steps}
          />
          <Conditions conditions={data.conditions} />
          <Rollouts rollouts={data.rollouts} />
          <ResourcesTable application={data} />
          <DetailsOrigin application={data} />
          <ChildApplications applications={data.childApplications} />
        </>
      ),
    [data],
  );
  const last = useMemo(
    () =>
      data && (
        <>
          <SyncHistory history={data.history} sources={sources} />
          <ApplicationFacts
            application={data}
            hub={set.hub}
            sources={sources}
          />
        </>
      ),
    [data, sources, set.hub],
  );

  if (!data && !error) {
    return <Loading problem={row.problem} />;
  }
  return (
    <>
      {!data && error && <RequestNotice error={error} />}
      {data && error && (
        <div className={classes.notFresh} role="status">
          {t('drawer.notFresh', { message: serverMessageOf(error) })}
        </div>
      )}
      {first}
      <Timeline application={ref} sources={sources} asOf={updatedAt} />
      {last}
    </>
  );
}
