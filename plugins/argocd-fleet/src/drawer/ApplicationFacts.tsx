import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ClusterApplication,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revisions } from '../source/Revisions';
import { fleetPalette } from '../status/palette';
import { CopyableCode } from '../code/CopyableCode';
import { AgeAndClock } from '../time/Age';
import { Version } from '../version/Version';
import { versionText } from '../version/versionText';
import { HydrationFact } from './HydrationFact';
import { LastOperation } from './LastOperation';
import { RollingSyncFact } from './RollingSyncFact';

const useStyles = makeStyles(
  theme => ({
    facts: {
      display: 'grid',
      gridTemplateColumns: 'max-content 1fr',
      gap: '4px 14px',
      margin: 0,
      '& dt': { color: fleetPalette(theme).dim },
      '& dd': { margin: 0, overflowWrap: 'anywhere' },
    },
    dim: { color: fleetPalette(theme).dim },
    images: { margin: 0, paddingLeft: 18, overflowWrap: 'anywhere' },
  }),
  { name: 'ArgocdFleetApplicationFacts' },
);

/** Command that shows the ManifestWork, or without one the Application, on the hub. */
function showCommand({
  application,
  manifestWork,
}: ClusterApplication): string {
  return manifestWork
    ? `kubectl -n ${manifestWork.namespace} get manifestworks.work.open-cluster-management.io ${manifestWork.name} -o yaml`
    : `kubectl -n ${application.namespace} get application.argoproj.io ${application.name} -o yaml`;
}

/** Images, revisions, last operation, and the names of the objects on the hub. */
export function ApplicationFacts(props: {
  readonly application: ClusterApplication;
  readonly hub: string;
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { application, sources } = props;
  const { wanted, compared, revision, revisions } = application;
  const { running, phase, manifestWork, hydration, rollingSync } = application;
  const images = application.images ?? [];
  return (
    <>
      {images.length > 0 && (
        <>
          <h3>{t('drawer.images')}</h3>
          <ul className={classes.images}>
            {images.map(image => (
              <li key={image}>{image}</li>
            ))}
          </ul>
        </>
      )}
      <h3>{t('drawer.objects', { hub: props.hub })}</h3>
      <dl className={classes.facts}>
        <dt>{t('drawer.wanted')}</dt>
        <dd>
          <Version texts={wanted} version={undefined} sources={sources} />
        </dd>
        {(revision || revisions?.length) && (
          <>
            <dt>{t('drawer.comparedWith')}</dt>
            <dd>
              {compared && versionText(compared).name}{' '}
              <Revisions of={application} sources={sources} />
            </dd>
          </>
        )}
        {running && (
          <>
            <dt>
              {t(running.notKnown ? 'drawer.lastRunning' : 'drawer.running')}
            </dt>
            <dd>
              <Revisions of={running} sources={sources} />
              {running.since && (
                <div className={classes.dim}>
                  {t('drawer.runningSince', {
                    age: <AgeAndClock at={running.since} />,
                  })}
                </div>
              )}
            </dd>
          </>
        )}
        {rollingSync && (
          <>
            <dt>{t('drawer.rollingSync')}</dt>
            <dd>
              <RollingSyncFact position={rollingSync} />
            </dd>
          </>
        )}
        {hydration && (
          <>
            <dt>{t('drawer.hydration')}</dt>
            <dd>
              <HydrationFact hydration={hydration} source={sources[0]} />
            </dd>
          </>
        )}
        {phase && (
          <>
            <dt>{t('drawer.operation')}</dt>
            <dd>
              <LastOperation application={application} />
            </dd>
          </>
        )}
        <dt>Application</dt>
        <dd>
          {application.application.namespace}/{application.application.name}
        </dd>
        {manifestWork && (
          <>
            <dt>ManifestWork</dt>
            <dd>
              {manifestWork.namespace}/{manifestWork.name}
            </dd>
          </>
        )}
      </dl>
      <CopyableCode text={showCommand(application)} />
    </>
  );
}
