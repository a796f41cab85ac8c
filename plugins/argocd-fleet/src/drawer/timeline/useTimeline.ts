import { useApi } from '@backstage/core-plugin-api';
import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { useCallback, useEffect, useRef, useState } from 'react';
import { argocdFleetApiRef } from '../../api';
import {
  startTimeline,
  type RunningTimeline,
  type TimelineState,
} from './startTimeline';

/** Transitions of a page: some days of an application that rarely changes, and few enough to scroll past. */
const PAGE_SIZE = 10;

/**
 * The timeline of an Application, while the component is mounted.
 * @param asOf - time of the page's last update, in epoch milliseconds: each new value reloads the latest transitions
 */
export function useTimeline(
  application: ObjectRef,
  asOf: number | undefined,
): TimelineState & { readonly more: () => void } {
  const api = useApi(argocdFleetApiRef);
  const { hub, namespace, name } = application;
  const [state, setState] = useState<TimelineState>({});
  const running = useRef<RunningTimeline>();

  useEffect(() => {
    setState({});
    const ref = { hub, namespace, name };
    const timeline = startTimeline(
      (signal, before) =>
        api.listApplicationTransitions(ref, {
          signal,
          before,
          limit: PAGE_SIZE,
        }),
      setState,
    );
    running.current = timeline;
    return timeline.stop;
  }, [api, hub, namespace, name]);

  useEffect(() => {
    running.current?.refresh();
  }, [api, hub, namespace, name, asOf]);

  const more = useCallback(() => running.current?.more(), []);
  return { ...state, more };
}
