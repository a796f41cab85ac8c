import { makeStyles } from '@material-ui/core/styles';
import Tab from '@material-ui/core/Tab';
import Tabs from '@material-ui/core/Tabs';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';

const useStyles = makeStyles(
  {
    tabs: { marginBottom: 16 },
    tab: { textTransform: 'none' },
  },
  { name: 'ArgocdFleetSectionTabs' },
);

/** One section per tab; the selected tab is kept in the URL. */
export function SectionTabs(props: {
  readonly tabs: readonly {
    readonly key: string;
    readonly label: string;
    readonly content: () => ReactNode;
  }[];
}) {
  const classes = useStyles();
  const [params, setParams] = useSearchParams();
  const { tabs } = props;
  const chosen = tabs.find(({ key }) => key === params.get('set')) ?? tabs[0];
  return (
    <>
      <Tabs
        className={classes.tabs}
        value={chosen.key}
        variant="scrollable"
        scrollButtons="auto"
        indicatorColor="primary"
        onChange={(_, key: string) =>
          setParams({ set: key }, { replace: true, preventScrollReset: true })
        }
      >
        {tabs.map(({ key, label }) => (
          <Tab
            key={key}
            className={classes.tab}
            value={key}
            label={label}
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
