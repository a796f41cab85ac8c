import { useCallback, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Marks, in a history entry's state, the entries that opening a drawer added. */
const ADDED = 'argocdFleetDrawer';

/**
 * The row whose drawer is open, kept in the URL. Opening adds an entry to the browser's history, so that its back
 * button closes the drawer and does not leave the page; also where the drawer was open from the start, by a link.
 * @param prefix - keeps several sections of one page apart in the URL; empty if there is only one
 */
export function useOpenRow(prefix: string): {
  readonly openRow: string | undefined;
  readonly open: (key: string) => void;
  /** Shows another row in the open drawer, in the same entry of the browser's history. */
  readonly move: (key: string) => void;
  readonly close: () => void;
} {
  const { search, hash, state } = useLocation();
  const navigate = useNavigate();
  const name = `${prefix}row`;
  const openRow = new URLSearchParams(search).get(name) || undefined;
  const added = Boolean(state?.[ADDED]);

  const show = useCallback(
    (key: string | undefined, how: { replace: boolean; added?: boolean }) => {
      const params = new URLSearchParams(search);
      params.delete(name);
      if (key) {
        params.set(name, key);
      }
      navigate(
        { search: params.toString(), hash },
        {
          replace: how.replace,
          preventScrollReset: true,
          state: {
            ...state,
            [ADDED]: key !== undefined && (how.added ?? !how.replace),
          },
        },
      );
    },
    [navigate, search, hash, state, name],
  );

  useEffect(() => {
    if (openRow && !added) {
      show(undefined, { replace: true });
      show(openRow, { replace: false });
    }
  }, [openRow, added, show]);

  return {
    openRow,
    open: useCallback(key => show(key, { replace: false }), [show]),
    move: useCallback(key => show(key, { replace: true, added: true }), [show]),
    close: useCallback(
      () => (added ? navigate(-1) : show(undefined, { replace: true })),
      [added, navigate, show],
    ),
  };
}
