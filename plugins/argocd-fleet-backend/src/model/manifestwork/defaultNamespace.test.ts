import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { application, managedCluster } from '../__testUtils__/applications';
import { applicationManifest } from '../delivery/workManifests';
import { desiredSpec } from './comparedSpec';
import { manifestWorkPatch } from './manifestWorkPatch';
import { oneShotFields } from './oneShotFields';
import { DEFAULT_PROPAGATION, planManifestWork } from './workPlan';

const NOW = Date.parse('2026-11-21T12:00:00Z');

/** A hub Application whose destination names no namespace. */
function unnamed(
  spec: Partial<ArgoApplication['spec']> = {},
  metadata: Partial<ArgoApplication['metadata']> = {},
): ArgoApplication {
  return application({
    metadata,
    spec: { destination: { server: 'x' }, ...spec },
  });
}

function plan(
  app: ArgoApplication,
  existing: ManifestWork | undefined,
  defaultDestinationNamespace: boolean,
) {
  const planned = planManifestWork(
    app,
    {
      managedCluster: managedCluster('cluster1'),
      authorisation: { verdict: 'authorised' },
      takenNames: [],
      existing,
    },
    { ...DEFAULT_PROPAGATION, defaultDestinationNamespace },
  );
  if (planned.kind !== 'apply') {
    throw new Error(planned.kind);
  }
  return planned;
}

function created(isDefault: boolean, app = unnamed()): ManifestWork {
  return plan(app, undefined, isDefault).work;
}

function namespaceIn(work: ManifestWork): string | undefined {
  const manifest = applicationManifest(work) as ArgoApplication;
  return manifest.spec.destination?.namespace;
}

describe.each([
  ['filled in', true, 'openshift-gitops'],
  ['left out', false, undefined],
])(
  'a destination namespace that is %s by default',
  (_, isDefault, expected) => {
    const existing = created(isDefault);
    const changed = unnamed({ syncPolicy: {} });

    it('is so in a new work', () => {
      expect(namespaceIn(existing)).toBe(expected);
    });

    it('stays so in a work that exists, whatever is configured, until the spec changes', () => {
      const after = (app: ArgoApplication) =>
        plan(app, existing, !isDefault).work;
      expect(manifestWorkPatch(existing, after(unnamed()))).toBeUndefined();
      const labelled = after(unnamed({}, { labels: { team: 'a' } }));
      expect(manifestWorkPatch(existing, labelled)).toBeDefined();
      expect(namespaceIn(labelled)).toBe(expected);
      expect(namespaceIn(after(changed))).not.toBe(expected);
    });

    it('gives way to the one that the Application names, be it the same', () => {
      for (const namespace of ['web', 'openshift-gitops']) {
        const named = unnamed({ destination: { server: 'x', namespace } });
        expect(namespaceIn(plan(named, existing, isDefault).work)).toBe(
          namespace,
        );
        // A namespace that the Application named before is no default.
        const back = plan(unnamed(), created(false, named), false).work;
        expect(namespaceIn(back)).toBe(
          namespace === 'web' ? undefined : namespace,
        );
      }
    });

    it('is what the cluster has to compare with', () => {
      const of = (app: ArgoApplication, configured: boolean) =>
        desiredSpec(app, existing, configured).destination?.namespace;
      expect(of(unnamed(), isDefault)).toBe(expected);
      expect(of(unnamed(), !isDefault)).toBe(expected);
      // Before propagation has written the work again.
      expect(of(changed, isDefault)).toBe(expected);
      expect(of(changed, !isDefault)).not.toBe(expected);
    });

    it('is no reason to drop an operation when a progressive sync changes the sync policy', () => {
      const operation = { sync: { revision: 'main' } };
      const sent = oneShotFields(
        { ...unnamed(), operation },
        existing,
        NOW,
        isDefault,
      );
      const [manifest] = existing.spec.workload!.manifests!;
      const carrying: ManifestWork = {
        ...existing,
        metadata: {
          ...existing.metadata,
          annotations: { ...existing.metadata.annotations, ...sent.marks },
        },
        spec: {
          ...existing.spec,
          workload: {
            manifests: [{ ...manifest, ...{ operation: sent.operation } }],
          },
        },
      };
      expect(
        oneShotFields(changed, carrying, NOW, isDefault).operation,
      ).toBeDefined();
    });
  },
);

it('a work that keeps the default namespace against the configuration is reported', () => {
  const codes = (app: ArgoApplication, existing: ManifestWork, isOn: boolean) =>
    (plan(app, existing, isOn).findings ?? []).map(({ code, severity }) => [
      code,
      severity,
    ]);
  const filled = created(true);
  expect(codes(unnamed(), filled, false)).toEqual([['AFC-117', 'info']]);
  expect(codes(unnamed(), filled, true)).toEqual([]);
  expect(codes(unnamed(), created(false), false)).toEqual([]);
  const named = unnamed({
    destination: { server: 'x', namespace: 'openshift-gitops' },
  });
  expect(codes(named, filled, false)).toEqual([]);
});
