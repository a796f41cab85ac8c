import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { Cause } from 'backstage-plugin-argocd-fleet-common';
import { useState } from 'react';
import { argocdFleetTranslationRef } from '../messages';
import { TextButton } from '../status/TextButton';
import { CauseItem } from './CauseItem';

/** Causes shown before "more" is clicked; the selected one is always shown. */
const SHOWN_AT_FIRST = 3;

const useStyles = makeStyles(
  { list: { listStyle: 'none', margin: '12px 0 0', padding: 0 } },
  { name: 'ArgocdFleetCausesStrip' },
);

/** What is wrong: each cause once, however many clusters it affects. */
export function CausesStrip(props: {
  readonly causes: readonly Cause[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const [all, setAll] = useState(false);
  const { causes, selected, onSelect } = props;
  if (causes.length === 0) {
    return null;
  }
  const shown = all
    ? causes
    : causes.filter((cause, i) => i < SHOWN_AT_FIRST || cause.id === selected);
  return (
    <>
      <ul className={classes.list} aria-label={t('causes.title')}>
        {shown.map(cause => (
          <CauseItem
            key={cause.id}
            cause={cause}
            pressed={cause.id === selected}
            onToggle={() =>
              onSelect(cause.id === selected ? undefined : cause.id)
            }
          />
        ))}
      </ul>
      {(all || shown.length < causes.length) && (
        <TextButton onClick={() => setAll(!all)}>
          {all
            ? t('causes.fewer')
            : t('causes.more', { count: causes.length - shown.length })}
        </TextButton>
      )}
    </>
  );
}
