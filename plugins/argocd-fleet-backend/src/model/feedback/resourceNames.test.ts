import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { reportedWork } from '../__testUtils__/works';
import { readApplicationStatus } from './applicationState';
import { parseDigest } from './digest';
import { readErrorFeedback } from './errorFeedback';
import { readFeedback } from './feedback';
import { hasLegalNames } from './resourceNames';

const EVIL = [
  '',
  '.',
  '..',
  '../../api/v1/secrets',
  'a/b',
  'a%2fb',
  'a?watch=true',
  '-rf',
  'a b',
  'a\u202Eb',
  'a\u2066b\u2069',
  'x'.repeat(10_000),
];

const web = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace: 'demo',
  name: 'web',
};

it.each([
  'web',
  'system:controller:node-controller',
  'CN=admin',
  'kube:admin',
  'v1.apps',
  'x'.repeat(253),
])('an object of a cluster may be called %s', name => {
  expect(hasLegalNames({ ...web, name })).toBe(true);
});

it('an object of the core group or of the whole cluster has fewer names', () => {
  expect(hasLegalNames({ kind: 'Namespace', name: 'demo' })).toBe(true);
});

describe.each(EVIL.map(evil => [evil.slice(0, 30), evil]))(
  'the name %j of a compromised cluster',
  (_, evil) => {
    it('is none of an object, a namespace or a kind', () => {
      expect(hasLegalNames({ ...web, name: evil })).toBe(false);
      expect(hasLegalNames({ ...web, kind: evil })).toBe(false);
      // Cluster-wide objects have no namespace, and the core group no name.
      const mayBeMissing = evil === '';
      expect(hasLegalNames({ ...web, namespace: evil })).toBe(mayBeMissing);
      expect(hasLegalNames({ ...web, group: evil })).toBe(mayBeMissing);
      expect(hasLegalNames({ ...web, version: evil })).toBe(mayBeMissing);
    });

    it('is left out of a digest, alone, and counted', () => {
      const fields = ['apps', 'v1', 'Deployment', 'demo'];
      const lines = [
        ['argocd-fleet-digest/1', '3'],
        ['s', 'Healthy', 'Synced'],
        ['f', ...fields, evil, 'no'],
        ['f', ...fields, 'web', 'no'],
        ['r', ...fields, evil, 'Synced', 'Healthy'],
        ['r', 'apps', 'v1', evil || '-', 'demo', 'web', 'Synced', 'Healthy'],
        ['r', ...fields, 'web', 'Synced', 'Healthy'],
      ];
      const text = `${lines.map(line => line.join('\t')).join('\n')}\n.`;
      expect(parseDigest(text)).toMatchObject({
        failedResources: [{ name: 'web' }],
        resources: [{ kind: 'Deployment', name: 'web' }],
        resourcesOmitted: 2,
        illegalNames: 3,
      });
    });

    it('is left out of the feedback of an older agent', () => {
      const values: Record<string, string[]> = {
        failedResourceKind: ['Deployment', 'Deployment'],
        failedResourceName: [evil, 'web'],
        failedResourceMessage: ['no', 'neither'],
        degradedResourceKind: ['Service'],
        degradedResourceName: [evil],
      };
      expect(
        readErrorFeedback(name => values[name] ?? [], 'Failed'),
      ).toMatchObject({
        failedResources: [{ name: 'web', message: 'neither' }],
        resources: [],
        illegalNames: 2,
      });
    });

    it('is left out of the status that an agent wrote to the hub', () => {
      const state = readApplicationStatus(
        application({
          status: { resources: [{ ...web, name: evil }, web] },
        }) as ArgoApplication,
      );
      expect(state).toMatchObject({
        resources: [web],
        resourcesOmitted: 1,
        illegalNames: 1,
      });
    });
  },
);

it('an honest digest has none to leave out', () => {
  const work = reportedWork({
    digest: [['r', 'apps', 'v1', 'Deployment', 'demo', 'web', 'Synced']],
  });
  expect(readFeedback(work)).not.toHaveProperty('illegalNames');
});
