import { Link } from '@backstage/core-components';
import { useRouteRef, useRouteRefParams } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { useApplicationSet } from '../live/queries';
import { argocdFleetTranslationRef } from '../messages';
import { LinkNotice } from '../entity/LinkNotice';
import { RequestNotice } from '../notice/RequestNotice';
import { requestProblemOf } from '../live/requestProblem';
import { applicationSetRouteRef, rootRouteRef } from '../routes';
import { FleetSection } from '../section/FleetSection';
import { SectionSkeleton } from '../section/SectionSkeleton';

const useStyles = makeStyles(
  {
    heading: {
      fontSize: 22,
      fontWeight: 500,
      lineHeight: 1.3,
      margin: '10px 0 8px',
      overflowWrap: 'anywhere',
    },
  },
  { name: 'ArgocdFleetApplicationSet' },
);

/** The page of one ApplicationSet. */
export function ApplicationSetContent() {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const listLink = useRouteRef(rootRouteRef);
  const { hub, namespace, name } = useRouteRefParams(applicationSetRouteRef);
  const ref = { hub, namespace, name };
  const live = useApplicationSet(ref);
  const { data, error } = live;
  const notFound = error && requestProblemOf(error) === 'notFound';
  return (
    <>
      <Link to={listLink()}>← {t('list.back')}</Link>
      <h2 className={classes.heading}>{name}</h2>
      {notFound && (
        <LinkNotice
          resolved={{ state: 'missing', link: { ref, via: t('list.address') } }}
          hubs={[]}
        />
      )}
      {!data && error && !notFound && <RequestNotice error={error} />}
      {!data && !error && <SectionSkeleton />}
      {data && !notFound && (
        <FleetSection set={data} live={live} showName={false} />
      )}
    </>
  );
}
