import InputBase from '@material-ui/core/InputBase';
import { makeStyles } from '@material-ui/core/styles';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { fleetPalette } from '../status/palette';

/** Browsers limit how often a page may change its URL. */
const DEBOUNCE_MS = 250;

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      input: {
        border: `1px solid ${palette.dim}`,
        borderRadius: 4,
        padding: '2px 10px',
        width: 260,
        maxWidth: '100%',
        fontSize: 14,
        fontFamily: 'inherit',
        '&:focus-within': { outline: `2px solid ${palette.busy}` },
        '& input::placeholder': { color: palette.dim, opacity: 1 },
      },
    };
  },
  { name: 'ArgocdFleetSearchField' },
);

function isEditable(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** The key `/` focuses the field, as on many pages; of several fields, the first one. */
function useSearchKey(input: RefObject<HTMLInputElement>) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const field = input.current;
      if (
        event.key === '/' &&
        !event.defaultPrevented &&
        !(event.ctrlKey || event.metaKey || event.altKey) &&
        !isEditable(event.target) &&
        // Below an open dialog, which has the focus.
        !field?.closest('[aria-hidden="true"]')
      ) {
        event.preventDefault();
        field?.focus();
      }
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}

/** A search field that calls `onChange` when typing pauses. */
export function SearchField(props: {
  readonly label: string;
  /** What is searched. */
  readonly title: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const classes = useStyles();
  const { label, value, onChange } = props;
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);

  useEffect(() => {
    // Changed by a "clear" button or the browser's back button.
    if (value !== reported.current) {
      reported.current = value;
      setTyped(value);
    }
  }, [value]);

  useEffect(() => {
    if (typed === reported.current) {
      return undefined;
    }
    const timer = setTimeout(() => {
      reported.current = typed;
      onChange(typed);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);

  return (
    <InputBase
      className={classes.input}
      type="search"
      placeholder={label}
      title={props.title}
      inputRef={input}
      inputProps={{ 'aria-label': label, 'aria-keyshortcuts': '/' }}
      value={typed}
      onChange={event => setTyped(event.target.value)}
    />
  );
}
