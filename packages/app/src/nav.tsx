import {
  Link,
  Sidebar,
  SidebarDivider,
  SidebarItem,
  SidebarSpace,
  sidebarConfig,
  useSidebarOpenState,
} from '@backstage/core-components';
import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { NavContentBlueprint } from '@backstage/plugin-app-react';
import { makeStyles } from '@material-ui/core/styles';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    height: 2 * sidebarConfig.logoHeight,
    color: '#fff',
    fontSize: 18,
    fontWeight: 500,
    whiteSpace: 'nowrap',
  },
  mark: {
    flex: 'none',
    width: sidebarConfig.drawerWidthClosed,
    display: 'flex',
    justifyContent: 'center',
  },
});

/** The project's logo: three clusters around a hub. */
const Logo = () => {
  const classes = useStyles();
  const { isOpen } = useSidebarOpenState();
  return (
    <Link
      to="/"
      underline="none"
      aria-label="Argo CD Fleet, home"
      className={classes.root}
    >
      <span className={classes.mark}>
        <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
          <path
            d="M14 14 14 5M14 14 6 20M14 14 22 20"
            stroke="#7cc4ff"
            strokeWidth="2"
          />
          <circle cx="14" cy="14" r="4.5" fill="#fff" />
          <circle cx="14" cy="4.5" r="3" fill="#7cc4ff" />
          <circle cx="5" cy="21" r="3" fill="#7cc4ff" />
          <circle cx="23" cy="21" r="3" fill="#7cc4ff" />
        </svg>
      </span>
      {isOpen && 'Argo CD Fleet'}
    </Link>
  );
};

const SidebarContent = NavContentBlueprint.make({
  params: {
    component: ({ navItems }) => {
      const nav = navItems.withComponent(item => (
        <SidebarItem icon={() => item.icon} to={item.href} text={item.title} />
      ));
      return (
        <Sidebar>
          <Logo />
          <SidebarDivider />
          {nav.take('page:argocd-fleet')}
          {nav.take('page:catalog')}
          {nav.take('page:scaffolder')}
          <SidebarSpace />
          <SidebarDivider />
          {nav.rest({ sortBy: 'title' })}
        </Sidebar>
      );
    },
  },
});

export const navModule = createFrontendModule({
  pluginId: 'app',
  extensions: [SidebarContent],
});
