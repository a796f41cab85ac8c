import { configApiRef, useApi } from '@backstage/core-plugin-api';
import { makeStyles } from '@material-ui/core/styles';
import { useLayoutEffect } from 'react';
import { FleetRoutes } from './FleetRoutes';
import { usePageTitle } from './usePageTitle';

const useStyles = makeStyles(
  theme => ({
    // Aligned with the app's header, which has its own padding.
    page: {
      padding: '0 20px 32px',
      [theme.breakpoints.down('xs')]: { padding: '0 16px 32px' },
    },
  }),
  { name: 'ArgocdFleetPage' },
);

/**
 * The page for the new frontend system: the app's layout renders the header and no `main` landmark, and the page sets
 * the document's title.
 */
export function FleetPageContent() {
  const classes = useStyles();
  const app =
    useApi(configApiRef).getOptionalString('app.title') ?? 'Backstage';
  const title = `${usePageTitle()} | ${app}`;
  useLayoutEffect(() => {
    document.title = title;
    return () => {
      document.title = app;
    };
  }, [title, app]);
  return (
    <main className={classes.page}>
      <FleetRoutes />
    </main>
  );
}
