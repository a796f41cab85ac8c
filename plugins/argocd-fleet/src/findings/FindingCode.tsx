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

/** The code of a finding, in small print next to its title; the documentation lists findings by code. */
export function FindingCode(props: { readonly code: string }) {
  return <span className={useStyles().code}>{props.code}</span>;
}
