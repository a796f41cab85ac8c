import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { clusterFaults, mayReportFault } from './clusterFaults';

const TARGET =
  'Failed to load target state: failed to generate manifest for source 1 of 1: ';
const REPO_SERVER = `${TARGET}rpc error: code = Unavailable desc = error reading from server: EOF`;
const WEBHOOK =
  'Failed to load live state: failed to get cluster info for "https://kubernetes.default.svc": failed to load initial state of resource Certificate.cert-manager.io: conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://webhook.cert-manager.svc:443/convert": dial tcp 10.0.0.1:443: connect: connection refused';
const FORGED = `${TARGET}rpc error: code = Unknown desc = \`helm template .\` failed exit status 1: Error: ${REPO_SERVER}`;
const SINCE = '2026-11-21T10:05:00Z';

/** The work of an Application that deploys into a namespace. */
function work(
  namespace: string,
  digest: readonly (readonly string[])[],
  since = SINCE,
): ManifestWork {
  const { spec } = application();
  const destination = { ...spec.destination, namespace };
  return reportedWork({
    work: workOf(application({ spec: { ...spec, destination } })),
    digest,
    ready: { lastTransitionTime: since },
  });
}

const failing = (namespace: string, message: string, since?: string) =>
  work(namespace, [['c', 'ComparisonError', message]], since);
const emptied = (namespace: string, since?: string) =>
  work(
    namespace,
    [
      ['r', '', 'v1', 'Service', namespace, 'web', 'OutOfSync', '', '', 'P'],
      ['r', '', 'v1', 'Pod', namespace, 'web', 'OutOfSync', '', '', 'P', 'D'],
    ],
    since,
  );

const codes = (works: readonly ManifestWork[], applications = works.length) =>
  clusterFaults('cluster1', works, applications).map(({ code }) => code);

describe('a fault of a whole cluster', () => {
  it('is told once, since the first Application reported it, and shows nothing of them', () => {
    const later = '2026-11-21T10:06:00Z';
    const works = [
      failing('shop', REPO_SERVER, later),
      failing('blog', REPO_SERVER),
      failing('shop', WEBHOOK),
      failing('wiki', WEBHOOK, later),
    ];
    expect(works.map(mayReportFault)).toEqual([true, true, true, true]);
    const findings = clusterFaults('cluster1', works, works.length);
    const object = { kind: 'ManagedCluster', name: 'cluster1' };
    expect(findings).toMatchObject([
      { code: 'AFC-233', since: SINCE, object },
      { code: 'AFC-235', since: SINCE, object },
    ]);
    expect(findings[1].message).toContain('cert-manager/webhook');
    expect(JSON.stringify(findings)).not.toMatch(/"evidence"|shop|blog|wiki/);
  });

  it('is none while Applications of one namespace alone report it', () => {
    const works = [failing('shop', REPO_SERVER), failing('shop', REPO_SERVER)];
    expect(codes(works)).toEqual([]);
  });

  it('is none of what a chart prints', () => {
    const works = ['shop', 'blog'].map(name => failing(name, FORGED));
    expect(works.map(mayReportFault)).toEqual([false, false]);
    expect(codes(works)).toEqual([]);
  });

  it('is none of an operation, whose message a hook may word', () => {
    const works = ['shop', 'blog'].map(name =>
      work(name, [['c', 'SyncError', `Failed last sync attempt: ${WEBHOOK}`]]),
    );
    expect(codes(works)).toEqual([]);
  });

  it('is that a sync would delete everything, where that is so of all Applications within a minute', () => {
    const works = [emptied('shop'), emptied('blog', '2026-11-21T10:05:59Z')];
    expect(works.map(mayReportFault)).toEqual([true, true]);
    expect(codes(works)).toEqual(['AFC-254']);
    expect(codes(works, 3)).toEqual([]);
    expect(codes([works[0], emptied('blog', '2026-11-21T10:06:01Z')])).toEqual(
      [],
    );
    expect(codes([works[0], emptied('shop')])).toEqual([]);
  });

  it('is not looked for where an Application is Healthy and Synced, or keeps a resource', () => {
    const healthy = reportedWork({
      digest: [['c', 'ComparisonError', REPO_SERVER]],
      ready: { status: 'True' },
    });
    const kept = work('shop', [
      ['r', '', 'v1', 'Service', 'shop', 'web', 'OutOfSync', '', '', 'P'],
      ['r', '', 'v1', 'Service', 'shop', 'api', 'OutOfSync'],
    ]);
    expect([healthy, kept, reportedWork()].map(mayReportFault)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
