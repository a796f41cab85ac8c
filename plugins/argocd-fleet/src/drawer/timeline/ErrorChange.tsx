import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { useState } from 'react';
import { argocdFleetTranslationRef } from '../../messages';
import { fleetPalette } from '../../status/palette';
import { ShapedText } from '../../status/StatusLabel';
import { StatusShape } from '../../status/StatusShape';
import { TextButton } from '../../status/TextButton';
import { useCodeStyles } from '../../code/CopyableCode';

const useStyles = makeStyles(
  theme => ({
    error: {
      display: 'flex',
      alignItems: 'center',
      gap: 6,
      'dl + &': { marginTop: 3 },
      color: fleetPalette(theme).bad,
      '& svg': { width: 14, height: 14 },
    },
    resolved: {
      'dl + &': { marginTop: 3 },
      '& svg': { width: 14, height: 14 },
    },
    short: {
      minWidth: 0,
      overflow: 'hidden',
      whiteSpace: 'nowrap',
      textOverflow: 'ellipsis',
    },
  }),
  { name: 'ArgocdFleetErrorChange' },
);

/** Characters that fit on one line of an entry. */
const ONE_LINE = 55;

/** The first error after a transition, shortened to one line until expanded; undefined if the error is gone. */
export function ErrorChange(props: { readonly error: string | undefined }) {
  const classes = useStyles();
  const codeClasses = useCodeStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [open, setOpen] = useState(false);
  const { error } = props;
  if (error === undefined) {
    return (
      <div className={classes.resolved}>
        <ShapedText of={{ shape: 'check', tone: 'good' }}>
          {t('timeline.errorGone')}
        </ShapedText>
      </div>
    );
  }
  return (
    <>
      <div className={classes.error}>
        <StatusShape of={{ shape: 'triangle', tone: 'bad' }} />
        <span className={classes.short}>
          {open ? t('timeline.error') : error}
        </span>
      </div>
      {open && <pre className={codeClasses.message}>{error}</pre>}
      {error.length > ONE_LINE && (
        <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'timeline.hideError' : 'timeline.showError')}
        </TextButton>
      )}
    </>
  );
}
