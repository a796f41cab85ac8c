import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type {
  ClusterApplication,
  Source,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetTranslationRef } from '../messages';
import { Revision } from '../source/Revision';
import { fleetPalette } from '../status/palette';
import { Age } from '../time/Age';
import { CopyableCode } from './CopyableCode';

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
    images: { margin: 0, paddingLeft: 18, overflowWrap: 'anywhere' },
  }),
  { name: 'ArgocdFleetApplicationFacts' },
);

/** How to see the objects themselves, on the hub. */
function showCommand({
  application,
  manifestWork,
}: ClusterApplication): string {
  return manifestWork
    ? `kubectl -n ${manifestWork.namespace} get manifestwork ${manifestWork.name} -o yaml`
    : `kubectl -n ${application.namespace} get application.argoproj.io ${application.name} -o yaml`;
}

/** Images, revision, and where the objects are. */
export function ApplicationFacts(props: {
  readonly application: ClusterApplication;
  readonly hub: string;
  readonly source: Source | undefined;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { application, source } = props;
  const { revision, phase, operationStartedAt, manifestWork } = application;
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
        {revision && (
          <>
            <dt>{t('drawer.revision')}</dt>
            <dd>
              <Revision revision={revision} source={source} />
            </dd>
          </>
        )}
        {phase && (
          <>
            <dt>{t('drawer.operation')}</dt>
            <dd>
              {phase} {operationStartedAt && <Age at={operationStartedAt} />}
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
