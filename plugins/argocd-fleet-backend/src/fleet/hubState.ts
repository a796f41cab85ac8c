import type { Finding, HubState } from 'backstage-plugin-argocd-fleet-common';
import { resourceId } from '../kubernetes/client';
import type { ReflectorState } from '../kubernetes/informer';
import { hubFindings } from '../model/findings';
import {
  FLEET_RESOURCES,
  OPTIONAL_RESOURCES,
  RESOURCE_ORIGINS,
  type ClusterWideResource,
} from './resources';

/**
 * How a hub is doing as a whole. A resource that it does not serve, or that we may not read, is a finding and leaves the rest alone;
 * any other trouble is that of the hub itself.
 */
export function hubState(
  hub: string,
  states: Readonly<Record<ClusterWideResource, ReflectorState>>,
): HubState {
  const findings: Finding[] = [];
  let trouble: ReflectorState | undefined;
  const unread: string[] = [];
  let starting = false;
  let since = 0;
  for (const [name, state] of Object.entries(states) as [
    ClusterWideResource,
    ReflectorState,
  ][]) {
    if (OPTIONAL_RESOURCES.has(name) && state.failure?.kind === 'notServed') {
      continue;
    }
    since = Math.max(since, state.since);
    const { failure } = state;
    if (failure || !state.synced) {
      unread.push(FLEET_RESOURCES[name].plural);
    }
    if (failure?.kind === 'notServed') {
      findings.push(
        hubFindings.resourceNotServed(
          hub,
          {
            kind: FLEET_RESOURCES[name].kind,
            id: resourceId(FLEET_RESOURCES[name]),
            origin: RESOURCE_ORIGINS[name],
          },
          { evidence: failure.message },
        ),
      );
    } else if (failure?.kind === 'forbidden') {
      findings.push(
        hubFindings.resourceForbidden(hub, FLEET_RESOURCES[name], {
          evidence: failure.message,
        }),
      );
    } else if (failure) {
      if (!trouble || state.since < trouble.since) {
        trouble = state;
      }
    } else if (!state.synced) {
      starting = true;
    }
  }
  const known = Object.values(states).some(({ synced }) => synced);
  const base = { name: hub, findings, unread };
  if (trouble) {
    return {
      ...base,
      state: 'unreachable',
      message: troubleMessage(hub, trouble, known),
      since: new Date(trouble.since).toISOString(),
    };
  }
  return {
    ...base,
    state: starting ? 'starting' : 'ready',
    since: new Date(since).toISOString(),
  };
}

function troubleMessage(
  hub: string,
  { failure }: ReflectorState,
  known: boolean,
) {
  const consequence = known
    ? 'What is shown is the last that was known.'
    : 'Nothing is known of it yet.';
  const advice =
    failure?.kind === 'unauthorized'
      ? ` The hub does not accept our credentials: renew those of hub "${hub}" in argocdFleet.hubs.`
      : '';
  return `${failure?.message}. ${consequence}${advice}`.replace(/\.\.\s/, '. ');
}
