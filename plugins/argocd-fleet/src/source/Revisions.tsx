import { makeStyles } from '@material-ui/core/styles';
import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { fleetPalette } from '../status/palette';
import { Revision } from './Revision';
import { nameSource } from './repositoryLinks';

const useStyles = makeStyles(
  theme => ({
    list: {
      listStyle: 'none',
      margin: 0,
      padding: 0,
      overflowWrap: 'anywhere',
    },
    source: { color: fleetPalette(theme).dim },
  }),
  { name: 'ArgocdFleetRevisions' },
);

/** The revision of an Application or, with several sources, each source's revision and name. */
export function Revisions(props: {
  readonly of: {
    readonly revision?: string;
    readonly revisions?: readonly string[];
  };
  readonly sources: readonly Source[];
}) {
  const classes = useStyles();
  const { of, sources } = props;
  if (!of.revisions?.length) {
    return of.revision ? (
      <Revision revision={of.revision} source={sources[0]} />
    ) : null;
  }
  return (
    <ul className={classes.list}>
      {of.revisions.map((revision, index) => {
        const source = sources.at(index);
        return (
          <li key={index}>
            <Revision revision={revision} source={source} />{' '}
            {source && (
              <span className={classes.source}>{nameSource(source)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
