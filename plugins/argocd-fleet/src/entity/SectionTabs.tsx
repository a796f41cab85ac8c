import { makeStyles } from '@material-ui/core/styles';
import Tab from '@material-ui/core/Tab';
import Tabs from '@material-ui/core/Tabs';
import type { ReactNode } from 'react';
import { fleetPalette } from '../status/palette';
import { useUrlState } from '../table/useUrlState';

const useStyles = makeStyles(
  theme => ({
    tabs: { marginBottom: 16 },
    tab: {
      textTransform: 'none',
      maxWidth: 360,
      '&:focus-visible': {
        outline: `2px solid ${fleetPalette(theme).busy}`,
        // The line of tabs cuts off what is outside of them.
        outlineOffset: -3,
      },
    },
    label: { display: 'grid', justifyItems: 'center', gap: 2 },
    mark: { fontSize: 12.5, '& svg': { width: 13, height: 13 } },
  }),
  { name: 'ArgocdFleetSectionTabs' },
);

/** One section per tab; the selected tab is kept in the URL. */
export function SectionTabs(props: {
  readonly tabs: readonly {
    readonly key: string;
    readonly label: string;
    /** How the section's ApplicationSet is. */
    readonly mark: ReactNode;
    readonly content: () => ReactNode;
  }[];
}) {
  const classes = useStyles();
  const { read, write } = useUrlState();
  const { tabs } = props;
  const chosen = tabs.find(({ key }) => key === read('set')) ?? tabs[0];
  return (
    <>
      <Tabs
        className={classes.tabs}
        value={chosen.key}
        variant="scrollable"
        scrollButtons="auto"
        indicatorColor="primary"
        onChange={(_, set: string) => write({ set })}
      >
        {tabs.map(({ key, label, mark }) => (
          <Tab
            key={key}
            className={classes.tab}
            value={key}
            label={
              <span className={classes.label}>
                {label} <span className={classes.mark}>{mark}</span>
              </span>
            }
            id={`argocd-fleet-tab-${key}`}
            aria-controls={
              key === chosen.key ? `argocd-fleet-panel-${key}` : undefined
            }
          />
        ))}
      </Tabs>
      <div
        role="tabpanel"
        id={`argocd-fleet-panel-${chosen.key}`}
        aria-labelledby={`argocd-fleet-tab-${chosen.key}`}
      >
        {chosen.content()}
      </div>
    </>
  );
}
