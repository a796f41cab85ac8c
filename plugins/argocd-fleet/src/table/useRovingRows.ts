import {
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { ROW_HEIGHT } from './useVirtualRows';

const CONTROLS = 'button, a, [role="button"]';

/** Where a key moves the focus to; undefined for other keys. */
function targetOf(
  key: string,
  from: number,
  last: number,
  page: number,
): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, last);
    case 'ArrowUp':
      return Math.max(from - 1, -1);
    case 'PageDown':
      return Math.min(from + page, last);
    case 'PageUp':
      return Math.max(from - page, 0);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/**
 * Makes a table one stop of the Tab key, as a grid is (ARIA Authoring Practices Guide): up and down, Home, End and the
 * page keys move between the rows' first controls and, above the first row, to the headings; left and right move within a
 * row. Each row has its index in `data-index`.
 * @param keys - of the rows, in their order: the focus stays on its row wherever that moves
 * @param initial - key of the row that the Tab key reaches first; by default, the first row
 */
export function useRovingRows(
  keys: readonly string[],
  initial: string | undefined,
): {
  /** Index of the row whose first control the Tab key reaches. It must be rendered. */
  readonly active: number;
  readonly tableProps: {
    readonly ref: RefObject<HTMLTableElement>;
    readonly onKeyDown: (event: KeyboardEvent<HTMLTableElement>) => void;
    readonly onFocus: (event: FocusEvent<HTMLTableElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLTableElement>) => void;
  };
} {
  const ref = useRef<HTMLTableElement>(null);
  const hasFocus = useRef(false);
  const [activeKey, setActiveKey] = useState(initial);
  const lastIndex = useRef(0);
  const found = activeKey === undefined ? 0 : keys.indexOf(activeKey);
  // The row that took the place of one that is gone.
  const active =
    found < 0 ? Math.min(lastIndex.current, keys.length - 1) : found;

  const focusRow = (index: number) =>
    ref.current
      ?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
      ?.querySelector<HTMLElement>(CONTROLS)
      ?.focus();

  useLayoutEffect(() => {
    lastIndex.current = active;
    if (hasFocus.current && document.activeElement === document.body) {
      focusRow(active);
    }
  }, [keys, active]);

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const control = (event.target as HTMLElement).closest(CONTROLS);
    const row = control?.closest('tr');
    if (!row || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const { key } = event;
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      event.preventDefault();
      const controls = [
        ...(row.closest('thead') ?? row).querySelectorAll<HTMLElement>(
          CONTROLS,
        ),
      ];
      const step = key === 'ArrowRight' ? 1 : -1;
      controls
        .at(Math.max(0, controls.indexOf(control as HTMLElement) + step))
        ?.focus();
      return;
    }
    const height = Math.min(
      ref.current?.parentElement?.clientHeight ?? 0,
      window.innerHeight,
    );
    const rowHeight = Math.max(ROW_HEIGHT, row.offsetHeight);
    const page = Math.max(1, Math.floor(height / rowHeight) - 2);
    const from = Number(row.dataset.index ?? -1);
    // The headings are above row 0.
    const to = targetOf(key, from, keys.length - 1, page);
    if (to === undefined) {
      return;
    }
    event.preventDefault();
    if (to < 0) {
      ref.current?.tHead?.querySelector<HTMLElement>(CONTROLS)?.focus();
      return;
    }
    // The row must be in the document before it can get the focus.
    flushSync(() => setActiveKey(keys[to]));
    focusRow(to);
  }

  return {
    active,
    tableProps: {
      ref,
      onKeyDown,
      onFocus: event => {
        hasFocus.current = true;
        const index = event.target.closest('tr')?.dataset.index;
        if (index !== undefined) {
          setActiveKey(keys[Number(index)]);
        }
      },
      onBlur: event => {
        hasFocus.current = event.currentTarget.contains(event.relatedTarget);
      },
    },
  };
}
