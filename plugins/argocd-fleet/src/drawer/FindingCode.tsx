import { makeStyles } from '@material-ui/core/styles';
import { fleetPalette } from '../status/palette';

const useStyles = makeStyles(
  theme => ({
    code: {
      color: fleetPalette(theme).dim,
      fontSize: 12,
      fontWeight: 400,
      whiteSpace: 'nowrap',
    },
  }),
  { name: 'ArgocdFleetFindingCode' },
);

/** The code that documentation and colleagues know a finding by, small beside its title. */
export function FindingCode(props: { readonly code: string }) {
  return <span className={useStyles().code}>{props.code}</span>;
}
