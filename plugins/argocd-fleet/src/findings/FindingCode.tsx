import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { argocdFleetTranslationRef } from '../messages';
import { findingLinkRouteRef } from '../routes';
import { fleetPalette } from '../status/palette';

const useStyles = makeStyles(
  theme => ({
    code: {
      color: fleetPalette(theme).dim,
      fontSize: 12,
      fontWeight: 400,
      whiteSpace: 'nowrap',
    },
    link: { textDecoration: 'underline' },
  }),
  { name: 'ArgocdFleetFindingCode' },
);

/** The code of a finding, in small print next to its title; a link to what it means, where the app has that page. */
export function FindingCode(props: {
  readonly code: string;
  /** False within a button, which may contain no link. */
  readonly link?: boolean;
  /** -1 in a table that is one stop of the Tab key. */
  readonly tabIndex?: number;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { code, link = true } = props;
  const address = useRouteRef(findingLinkRouteRef)?.({ code });
  return link && address ? (
    <Link
      to={address}
      className={`${classes.code} ${classes.link}`}
      title={t('finding.page', { code })}
      tabIndex={props.tabIndex}
    >
      {code}
    </Link>
  ) : (
    <span className={classes.code}>{code}</span>
  );
}
