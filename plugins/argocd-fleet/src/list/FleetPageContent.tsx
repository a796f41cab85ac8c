import { configApiRef, useApi } from '@backstage/core-plugin-api';
import { makeStyles } from '@material-ui/core/styles';
import { useLayoutEffect } from 'react';
import { FleetRoutes } from './FleetRoutes';
import { usePageTitle } from './usePageTitle';

const useStyles = makeStyles(
  theme => ({
    // In line with the app's heading above, which brings its own distance.
    page: {
      padding: '0 20px 32px',
      [theme.breakpoints.down('xs')]: { padding: '0 16px 32px' },
    },
  }),
  { name: 'ArgocdFleetPage' },
);

/** The page's content in the new frontend system: the app gives it a heading, but the browser's tab no title. */
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
    <div className={classes.page}>
      <FleetRoutes />
    </div>
  );
}
