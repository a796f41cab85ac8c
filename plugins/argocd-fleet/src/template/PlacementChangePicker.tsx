import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { usePlacementInUse, usePlacementOptions } from '../live/queries';
import { serverMessageOf } from '../live/requestProblem';
import { argocdFleetTranslationRef } from '../messages';
import { refKey } from '../objectRef';
import { useApplicationSetSuggestions } from './ApplicationSetPicker';
import { ChangeText, useChangeSummary } from './ChangeText';
import { firstError, SelectionFields } from './SelectionFields';
import { SuggestedText } from './SuggestedText';
import {
  changeOf,
  choiceOf,
  isChosen,
  withoutUndefined,
  type ClusterChoice,
  type PlacementChangeValue,
} from './target';

const useStyles = makeStyles(
  { fields: { display: 'flex', flexDirection: 'column', gap: 16 } },
  { name: 'ArgocdFleetPlacementChangePicker' },
);

/**
 * The form field for where an ApplicationSet runs: it starts with what its Placement selects now, and shows which clusters
 * another choice comes to and leaves. Without the API every value can still be typed.
 */
export function PlacementChangePicker(
  props: FieldExtensionComponentProps<PlacementChangeValue>,
) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const classes = useStyles();
  const { formData: value = {}, idSchema } = props;
  const onChange = (next: PlacementChangeValue) =>
    props.onChange(withoutUndefined(next));
  const disabled = Boolean(props.disabled || props.readonly);
  const { suggestions } = useApplicationSetSuggestions();
  const options = usePlacementOptions();
  const wanted = changeOf(value);
  const present = usePlacementInUse(
    wanted && { ref: wanted.ref, selection: undefined },
  );
  const other = usePlacementInUse(wanted?.selection ? wanted : undefined);
  const { selection, fixed } = present.data ?? {};
  const change = other.data?.change;

  const started = useRef<string>();
  const chosenSet = wanted && refKey(wanted.ref);
  useEffect(() => {
    if (selection && started.current !== chosenSet) {
      // Only once: a choice that somebody empties stays empty.
      started.current = chosenSet;
      if (!isChosen(value)) {
        onChange({ ...value, ...choiceOf(selection) });
      }
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when the answer comes
  }, [selection, chosenSet]);

  const summary = useChangeSummary(change);
  // Before the next event: what is typed between a render and a later effect would be lost.
  useLayoutEffect(() => {
    if (summary !== undefined && value.selected !== summary) {
      onChange({ ...value, selected: summary });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only these two: the form keeps what it got
  }, [summary, value.selected]);

  // Nothing is known of another choice until its answer comes.
  const update = (next: ClusterChoice) =>
    onChange({ ...value, ...next, selected: undefined });

  return (
    <div className={classes.fields}>
      <SuggestedText
        id={`${idSchema.$id}_applicationSet`}
        label={t('list.name')}
        help={t('target.change.setHelp')}
        value={value.applicationSet}
        error={firstError(props.errorSchema?.applicationSet)}
        disabled={disabled}
        suggestions={suggestions}
        // Another ApplicationSet starts with its own choice.
        onChange={applicationSet => onChange({ applicationSet })}
      />
      <SelectionFields
        id={idSchema.$id}
        value={value}
        namespace={wanted?.ref.namespace}
        options={options.data?.items.find(({ hub }) => hub === wanted?.ref.hub)}
        errors={props.errorSchema}
        disabled={disabled || fixed !== undefined}
        onChange={update}
      />
      <ChangeText
        change={fixed === undefined ? change : undefined}
        keptInGit={present.data?.keptInGit}
        instead={insteadOfChange()}
      />
    </div>
  );

  function insteadOfChange(): string {
    const error = present.error ?? other.error;
    if (error) {
      return serverMessageOf(error);
    }
    if (fixed !== undefined) {
      return fixed;
    }
    if (!value.applicationSet) {
      return t('target.change.noSet');
    }
    if (!wanted) {
      return t('target.change.noRef');
    }
    return wanted.selection
      ? t('target.change.loading')
      : t('target.preview.nothingChosen');
  }
}
