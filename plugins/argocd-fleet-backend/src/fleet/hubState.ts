import type { Finding, HubState } from 'backstage-plugin-argocd-fleet-common';
import { resourceId } from '../kubernetes/client';
import type { ReflectorState } from '../kubernetes/informer';
import {
  FLEET_RESOURCES,
  OPTIONAL_RESOURCES,
  RESOURCE_ORIGINS,
  type ClusterWideResource,
} from './resources';

/**
 * The state of a hub as a whole. A resource that it does not serve, or that we may not read, is a finding of its own;
 * any other failure makes the hub unreachable.
 */
export function hubState(
  hub: string,
  states: Readonly<Record<ClusterWideResource, ReflectorState>>,
): HubState {
  const findings: Finding[] = [];
  let failed: ReflectorState | undefined;
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
      findings.push(notServed(hub, name, failure.message));
    } else if (failure?.kind === 'forbidden') {
      findings.push(forbidden(hub, name, failure.message));
    } else if (failure) {
      if (!failed || state.since < failed.since) {
        failed = state;
      }
    } else if (!state.synced) {
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
      since: new Date(failed.since).toISOString(),
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

function notServed(
  hub: string,
  name: ClusterWideResource,
  evidence: string,
): Finding {
  const { kind } = FLEET_RESOURCES[name];
  return {
    code: 'AFC-401',
    severity: 'error',
    title: `${kind} is not served by hub ${hub}`,
    message: `Hub "${hub}" has no resource ${resourceId(FLEET_RESOURCES[name])}. Controllers that need it do not run until it is served; nothing is deleted meanwhile.`,
    evidence,
    fix: { description: `Install ${RESOURCE_ORIGINS[name]} on the hub.` },
    object: {
      kind: 'CustomResourceDefinition',
      name: resourceId(FLEET_RESOURCES[name]),
    },
  };
}

function forbidden(
  hub: string,
  name: ClusterWideResource,
  evidence: string,
): Finding {
  const { kind, group, plural } = FLEET_RESOURCES[name];
  return {
    code: 'AFC-402',
    severity: 'error',
    title: `${kind} may not be read on hub ${hub}`,
    message: `Our user on hub "${hub}" may not list and watch ${resourceId(FLEET_RESOURCES[name])}. Controllers that need them do not run until it may; nothing is deleted meanwhile.`,
    evidence,
    fix: {
      description:
        'Add this rule to our ClusterRole, or apply deploy/rbac/read.yaml as it is.',
      command: [
        `- apiGroups: ["${group}"]`,
        `  resources: ["${plural}"]`,
        '  verbs: ["list", "watch"]',
      ].join('\n'),
    },
  };
}
