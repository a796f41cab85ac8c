import type { FieldExtensionComponentProps } from '@backstage/plugin-scaffolder-react';
import { useApplicationSetList } from '../live/queries';
import { serverMessageOf } from '../live/requestProblem';
import { refKey } from '../objectRef';
import { describeSource } from '../source/repositoryLinks';
import { SuggestedText } from './SuggestedText';

/**
 * The form field for an ApplicationSet, as `hub:namespace/name`, with its source beside it. Without the API it can still be
 * typed.
 */
export function ApplicationSetPicker(
  props: FieldExtensionComponentProps<string>,
) {
  const { idSchema, schema } = props;
  const { data, error } = useApplicationSetList();
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
      suggestions={(data?.items ?? []).map(({ ref, sources: [source] }) => ({
        name: refKey(ref),
        details: source ? describeSource(source) : '',
      }))}
      onChange={props.onChange}
    />
  );
}
