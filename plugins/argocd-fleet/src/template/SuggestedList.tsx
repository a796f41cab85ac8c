import TextField from '@material-ui/core/TextField';
import Autocomplete from '@material-ui/lab/Autocomplete';
import { useState } from 'react';
import { SuggestionOption, type Suggestion } from './SuggestionOption';

/** Any number of texts with suggestions; any text may be typed. */
export function SuggestedList(props: {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly values: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** What is wrong with the values. */
  readonly error: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (values: string[]) => void;
}) {
  const { id, label, help, values, suggestions, error } = props;
  const [typed, setTyped] = useState('');
  const byName = new Map(suggestions.map(it => [it.name, it]));

  function change(texts: readonly string[]) {
    const trimmed = texts.map(text => text.trim()).filter(text => text !== '');
    props.onChange([...new Set(trimmed)]);
  }

  return (
    <Autocomplete
      id={id}
      multiple
      freeSolo
      filterSelectedOptions
      disabled={props.disabled}
      options={[...byName.keys()]}
      value={[...values]}
      inputValue={typed}
      onInputChange={(event, text) => {
        // Without an event it is only the reset after each new array of values, which would lose what is being typed.
        if (event) {
          setTyped(text);
        }
      }}
      renderOption={name => <SuggestionOption of={byName.get(name)!} />}
      onChange={(_, texts) => change(texts)}
      ChipProps={{ size: 'small' }}
      renderInput={params => (
        <TextField
          {...params}
          label={label}
          error={error !== undefined}
          helperText={error ?? help}
          onBlur={() => {
            // What was typed without Enter counts.
            if (typed.trim() !== '') {
              setTyped('');
              change([...values, typed]);
            }
          }}
        />
      )}
    />
  );
}
