import { Link } from '@backstage/core-components';
import { useRouteRef, useRouteRefParams } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { useLocation } from 'react-router-dom';
import { ApplicationSetSection } from '../entity/ApplicationSetSection';
import { argocdFleetTranslationRef } from '../messages';
import { applicationSetRouteRef, rootRouteRef } from '../routes';

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
  // The list's filter and order, if the reader came from there.
  const listSearch: string = useLocation().state?.listSearch ?? '';
  return (
    <>
      <Link to={`${listLink()}${listSearch}`}>← {t('list.back')}</Link>
      <h2 className={classes.heading}>{name}</h2>
      <ApplicationSetSection
        applicationSet={{ hub, namespace, name }}
        via={t('list.address')}
        showName={false}
      />
    </>
  );
}
