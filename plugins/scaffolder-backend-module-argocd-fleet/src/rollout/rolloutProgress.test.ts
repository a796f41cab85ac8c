import type { ApplicationSetDetail } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSetOn,
  NOTHING_SELECTED,
  onCluster,
  REVISION_UNKNOWN,
  SYNC_FAILED,
} from '../__testUtils__/applicationSet';
import { rolloutProgress } from './rolloutProgress';

const decisions = (count: number) => ({
  placement: { name: 'guestbook', decisions: count },
});

describe('the progress of a rollout', () => {
  it.each<[string, ApplicationSetDetail, boolean, string]>([
    [
      'all clusters are synced and healthy',
      applicationSetOn([onCluster('cluster1'), onCluster('cluster2')]),
      true,
      '2 of 2 clusters synced and healthy',
    ],
    [
      'one is progressing',
      applicationSetOn([
        onCluster('cluster1', 'Progressing'),
        onCluster('cluster2'),
      ]),
      false,
      '1 of 2 clusters synced and healthy; cluster1: Progressing',
    ],
    [
      'one is missing and out of sync: errors come first',
      applicationSetOn([
        onCluster('cluster1', 'Progressing'),
        onCluster('cluster2', 'Missing', 'OutOfSync', { error: 'forbidden' }),
      ]),
      false,
      '0 of 2 clusters synced and healthy; cluster2: Missing, OutOfSync (forbidden); cluster1: Progressing',
    ],
    [
      'one is suspended: a person has to resume it',
      applicationSetOn([onCluster('cluster1', 'Suspended')]),
      false,
      '0 of 1 clusters synced and healthy; cluster1: Suspended',
    ],
    [
      'one was synced and healthy in its last report',
      applicationSetOn([
        onCluster('cluster1', 'Healthy', 'Synced', { stale: true }),
      ]),
      false,
      '0 of 1 clusters synced and healthy; cluster1: not reporting',
    ],
    [
      'two Applications share a cluster: the worse status counts',
      applicationSetOn(
        [onCluster('cluster1'), onCluster('cluster1', 'Degraded')],
        decisions(1),
      ),
      false,
      '0 of 1 clusters synced and healthy; cluster1: Degraded',
    ],
    [
      'not every selected cluster has its Application yet',
      applicationSetOn([onCluster('cluster1')], decisions(3)),
      false,
      '1 of 3 clusters synced and healthy; 2 selected by the Placement without an Application yet',
    ],
    [
      'a selected cluster is excluded on purpose',
      applicationSetOn([onCluster('cluster1')], {
        ...decisions(2),
        excluded: [
          {
            cluster: 'local-cluster',
            application: { namespace: 'a', name: 'b' },
            reason: 'the hub itself',
          },
        ],
      }),
      true,
      '1 of 1 clusters synced and healthy',
    ],
    [
      'only excluded clusters are selected',
      applicationSetOn([], {
        ...decisions(1),
        excluded: [
          {
            cluster: 'local-cluster',
            application: { namespace: 'a', name: 'b' },
            reason: 'the hub itself',
          },
        ],
      }),
      false,
      'the Placement guestbook selects only clusters that are excluded: local-cluster (the hub itself)',
    ],
    [
      'nothing is selected yet',
      applicationSetOn([]),
      false,
      'waiting for the Placement guestbook to select a cluster',
    ],
    [
      'nothing is selected, and a finding says why',
      applicationSetOn([], { findings: [NOTHING_SELECTED] }),
      false,
      'waiting for the Placement guestbook to select a cluster; No cluster selected: No valid ManagedCluster found',
    ],
    [
      'a cluster has an error that a finding explains',
      applicationSetOn([
        onCluster('cluster1', 'Unknown', 'Unknown', {
          error: 'rpc error: nope',
          finding: REVISION_UNKNOWN,
        }),
      ]),
      false,
      '0 of 1 clusters synced and healthy; cluster1: Unknown, Unknown (Unknown revision or path: rpc error: nope)',
    ],
    [
      'the finding has the health status as its title',
      applicationSetOn([
        onCluster('cluster1', 'Degraded', 'Synced', {
          finding: {
            ...REVISION_UNKNOWN,
            title: 'Degraded',
            evidence: 'Deployment web',
          },
        }),
      ]),
      false,
      '0 of 1 clusters synced and healthy; cluster1: Degraded (Deployment web)',
    ],
    [
      'a sync failed before another step failed',
      applicationSetOn([
        {
          ...onCluster('cluster1', 'Degraded', 'Synced', {
            error: 'Deployment web: CrashLoopBackOff',
          }),
          steps: [
            SYNC_FAILED,
            {
              id: 'healthy',
              state: 'failed',
              title: 'Healthy',
              finding: {
                ...REVISION_UNKNOWN,
                title: 'A container keeps crashing',
              },
            },
          ],
        },
      ]),
      false,
      '0 of 1 clusters synced and healthy; cluster1: Degraded (A container keeps crashing: Deployment web: CrashLoopBackOff)',
    ],
    [
      'the ApplicationSet can no longer generate: the clusters are healthy in their previous state',
      applicationSetOn([onCluster('cluster1')], {
        findings: [
          {
            ...REVISION_UNKNOWN,
            title: 'The ApplicationSet cannot generate its Applications',
            evidence: 'invalid template',
          },
        ],
      }),
      false,
      '1 of 1 clusters synced and healthy; The ApplicationSet cannot generate its Applications: invalid template',
    ],
    [
      'nothing is generated yet',
      applicationSetOn([], decisions(2)),
      false,
      'the Placement guestbook selects 2 clusters; waiting for their Applications',
    ],
    [
      'the hub is unreachable: the data may be outdated',
      applicationSetOn([onCluster('cluster1')], {
        hubState: { name: 'hub', state: 'unreachable', message: 'refused' },
      }),
      false,
      'the hub "hub" is unreachable: refused, so this may be outdated; 1 of 1 clusters synced and healthy',
    ],
    [
      'the backend may not read works: the data may be outdated',
      applicationSetOn([onCluster('cluster1')], {
        hubState: {
          name: 'hub',
          state: 'ready',
          unread: ['manifestworks', 'multiclusterapplicationsetreports'],
        },
      }),
      false,
      'the hub "hub" does not let the backend read manifestworks, so this may be outdated or incomplete; 1 of 1 clusters synced and healthy',
    ],
    [
      'the backend may not read works, which one of the Applications needs',
      applicationSetOn([onCluster('cluster1')], {
        deliveryModel: 'push',
        deliveryModels: [
          { model: 'push', applications: 2 },
          { model: 'pull', applications: 1 },
        ],
        hubState: {
          name: 'hub',
          state: 'ready',
          unread: ['manifestworks'],
        },
      }),
      false,
      'the hub "hub" does not let the backend read manifestworks, so this may be outdated or incomplete; 1 of 1 clusters synced and healthy',
    ],
    [
      'the backend may not read a resource that the rollout does not need',
      applicationSetOn([onCluster('cluster1')], {
        hubState: {
          name: 'hub',
          state: 'ready',
          unread: ['multiclusterapplicationsetreports'],
        },
      }),
      true,
      '1 of 1 clusters synced and healthy',
    ],
  ])('%s', (_, detail, done, summary) => {
    expect(rolloutProgress(detail, 1)).toMatchObject({ done, summary });
  });

  it('waits for as many clusters as are required', () => {
    const detail = applicationSetOn([onCluster('cluster1')]);
    expect(rolloutProgress(detail, 2)).toMatchObject({
      done: false,
      summary: '1 of 1 clusters synced and healthy; at least 2 are required',
    });
  });

  it('shortens a long reason', () => {
    const error = `${'long '.repeat(200)}end`;
    const { summary } = rolloutProgress(
      applicationSetOn([
        onCluster('cluster1', 'Degraded', 'Synced', { error }),
      ]),
      1,
    );
    expect(summary).toMatch(/long long.*…\)$/);
    expect(summary.length).toBeLessThan(400);
  });

  it('names only the first of many clusters', () => {
    const clusters = Array.from({ length: 8 }, (_, i) =>
      onCluster(`c${i}`, 'Progressing'),
    );
    expect(rolloutProgress(applicationSetOn(clusters), 1).summary).toMatch(
      /c4: Progressing; and 3 more$/,
    );
  });
});
