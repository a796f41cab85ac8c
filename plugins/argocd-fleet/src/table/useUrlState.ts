import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/**
 * A page's state as query parameters of its URL, so that the URL can be sent to a colleague.
 * @param prefix - before each name; keeps several sections of one page apart
 */
export function useUrlState(prefix = ''): {
  readonly read: (name: string) => string | undefined;
  /** Sets the values and deletes the empty ones. With `push`, the browser's back button returns to the previous URL. */
  readonly write: (
    values: Readonly<Record<string, string | boolean | undefined>>,
    options?: { readonly push?: boolean },
  ) => void;
} {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const read = useCallback(
    (name: string) => params.get(`${prefix}${name}`) ?? undefined,
    [params, prefix],
  );
  const write = useCallback(
    (
      values: Readonly<Record<string, string | boolean | undefined>>,
      { push = false } = {},
    ) =>
      setParams(
        current => {
          const next = new URLSearchParams(current);
          for (const [name, value] of Object.entries(values)) {
            if (value) {
              next.set(`${prefix}${name}`, String(value));
            } else {
              next.delete(`${prefix}${name}`);
            }
          }
          return next;
        },
        { replace: !push, preventScrollReset: true, state },
      ),
    [setParams, prefix, state],
  );
  return { read, write };
}
