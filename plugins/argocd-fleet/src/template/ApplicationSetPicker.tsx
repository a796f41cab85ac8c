import type { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { useApplicationSetList } from '../live/queries';
import { serverMessageOf } from '../live/requestProblem';
import { refKey } from '../objectRef';
import { describeSource } from '../source/repositoryLinks';
import type { Suggestion } from './SuggestionOption';
import { SuggestedText } from './SuggestedText';

/** The ApplicationSets that the user may see, with their sources; `error` where they cannot be had. */
export function useApplicationSetSuggestions(): {
  readonly suggestions: readonly Suggestion[];
  readonly error: Error | undefined;
} {
  const { data, error } = useApplicationSetList();
  const suggestions = (data?.items ?? []).map(({ ref, sources: [source] }) => ({
    name: refKey(ref),
    details: source ? describeSource(source) : '',
  }));
  return { suggestions, error };
}

/**
 * The form field for an ApplicationSet, as `hub:namespace/name`, with its source beside it. Without the API it can still be
 * typed.
 */
export function ApplicationSetPicker(
  props: FieldExtensionComponentProps<string>,
) {
  const { idSchema, schema } = props;
  const { suggestions, error } = useApplicationSetSuggestions();
  return (
    <SuggestedText
      id={idSchema.$id}
      label={schema.title ?? props.name}
      help={error ? serverMessageOf(error) : (schema.description ?? '')}
      isOptional={!props.required}
      value={props.formData}
      // The form shows the errors of a text below it.
      error={undefined}
      disabled={Boolean(props.disabled || props.readonly)}
      suggestions={suggestions}
      onChange={props.onChange}
    />
  );
}
