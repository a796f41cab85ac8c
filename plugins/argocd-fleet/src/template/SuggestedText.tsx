import TextField from '@material-ui/core/TextField';
import Autocomplete from '@material-ui/lab/Autocomplete';
import { SuggestionOption, type Suggestion } from './SuggestionOption';

/** Options that are shown at once: a fleet may have thousands of what is chosen from. */
const MAX_OPTIONS = 100;

/** A text with suggestions; any text may be typed. */
export function SuggestedText(props: {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly value: string | undefined;
  readonly suggestions: readonly Suggestion[];
  /** What is wrong with the value. */
  readonly error: string | undefined;
  readonly disabled: boolean;
  /** Whether the text may be left empty. */
  readonly isOptional?: boolean;
  /** @param value - undefined for an empty text */
  readonly onChange: (value: string | undefined) => void;
}) {
  const { id, label, help, value = '', suggestions, error } = props;
  const byName = new Map(suggestions.map(it => [it.name, it]));
  return (
    <Autocomplete
      id={id}
      freeSolo
      disableClearable
      disabled={props.disabled}
      options={[...byName.keys()]}
      value={value}
      inputValue={value}
      // All of them, until somebody types: a suggestion that was chosen must not hide the others. What is typed is the value
      // at once, so the component takes it for a choice, and would filter by nothing.
      filterOptions={names =>
        (byName.has(value)
          ? names
          : names.filter(name => name.includes(value))
        ).slice(0, MAX_OPTIONS)
      }
      renderOption={name => <SuggestionOption of={byName.get(name)!} />}
      onInputChange={(_, text) => {
        if (text !== value) {
          props.onChange(text || undefined);
        }
      }}
      renderInput={params => (
        <TextField
          {...params}
          label={label}
          required={!props.isOptional}
          error={error !== undefined}
          helperText={error ?? help}
        />
      )}
    />
  );
}
