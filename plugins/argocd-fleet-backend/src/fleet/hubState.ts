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
 * The state of a hub as a whole. A resource that it does not serve, or that we may not read, is a finding of its own;
 * any other failure makes the hub unreachable.
 * @param skipsTlsVerify - whether the hub's certificate is not verified
 * @param unreadable - how many objects of each kind cannot be read, without those that say so in a row of their own
 */
export function hubState(
  hub: string,
  states: Readonly<Record<ClusterWideResource, ReflectorState>>,
  skipsTlsVerify: boolean,
  unreadable: Readonly<Record<string, number>> = {},
): HubState {
  const findings: Finding[] = [
    ...(skipsTlsVerify ? [hubFindings.certificateNotVerified(hub)] : []),
    ...(Object.keys(unreadable).length > 0
      ? [hubFindings.objectsUnreadable(hub, unreadable)]
      : []),
  ];
  let failed: ReflectorState | undefined;
  const unread: string[] = [];
  let starting = false;
  let since = 0;
  let heardAt: number | undefined;
  for (const [name, state] of Object.entries(states) as [
    ClusterWideResource,
    ReflectorState,
  ][]) {
    if (OPTIONAL_RESOURCES.has(name) && state.failure?.kind === 'notServed') {
      continue;
    }
    since = Math.max(since, state.since);
    const { failure } = state;
    if (state.heardAt !== undefined) {
      heardAt = Math.max(heardAt ?? 0, state.heardAt);
    }
    const complete = state.synced && !state.relisting;
    if (failure || !complete) {
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
      if (!failed || state.since < failed.since) {
        failed = state;
      }
    } else if (!complete) {
      starting = true;
    }
  }
  const known = Object.values(states).some(({ synced }) => synced);
  const base = { name: hub, findings, unread };
  if (failed) {
    return {
      ...base,
      state: 'unreachable',
      message: failureMessage(hub, failed, known),
      // The last sign of life, unless the hub answers other requests since.
      since: new Date(
        Math.min(failed.since, heardAt ?? failed.since),
      ).toISOString(),
    };
  }
  return {
    ...base,
    state: starting ? 'starting' : 'ready',
    since: new Date(since).toISOString(),
  };
}

function failureMessage(
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
