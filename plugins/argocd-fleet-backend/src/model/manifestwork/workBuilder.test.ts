import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { createWorkBuilder, PLAIN_BUILDER } from './workBuilder';
import { DEFAULT_PROPAGATION } from './workPlan';
import { MAX_MANIFESTS } from './workSize';

const TARGET = { cluster: 'cluster1', name: 'guestbook-4a491' };

describe('a builder of works', () => {
  it('returns the work that it built for the same Application, target and options', () => {
    const { build } = createWorkBuilder();
    const app = application();
    const built = build(app, TARGET, DEFAULT_PROPAGATION);
    expect(build(app, { ...TARGET }, DEFAULT_PROPAGATION)).toBe(built);
    expect(built).toEqual(
      PLAIN_BUILDER.build(app, TARGET, DEFAULT_PROPAGATION),
    );
  });

  it.each([
    ['another version of the Application', { app: application() }],
    ['another name', { target: { ...TARGET, name: 'guestbook-4a491-x' } }],
    ['another cluster', { target: { ...TARGET, cluster: 'cluster2' } }],
    [
      'a delivered AppProject',
      {
        target: {
          ...TARGET,
          appProject: {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'AppProject',
            metadata: { name: 'shop', namespace: 'openshift-gitops' },
            spec: {},
          },
        },
      },
    ],
    [
      'other options',
      { options: { ...DEFAULT_PROPAGATION, conditionRules: false } },
    ],
  ])('builds a new one for %s', (_, change) => {
    const { build } = createWorkBuilder();
    const first = {
      app: application(),
      target: TARGET,
      options: DEFAULT_PROPAGATION,
    };
    const { app, target, options } = { ...first, ...change };
    const before = build(first.app, first.target, first.options);
    const built = build(app, target, options);
    expect(built).not.toBe(before);
    expect(built).toEqual(PLAIN_BUILDER.build(app, target, options));
  });

  it('forgets the oldest', () => {
    const { build } = createWorkBuilder();
    const app = application();
    const built = build(app, TARGET, DEFAULT_PROPAGATION);
    for (let i = 0; i < 200; i += 1) {
      build(application(), TARGET, DEFAULT_PROPAGATION);
    }
    expect(build(app, TARGET, DEFAULT_PROPAGATION)).not.toBe(built);
  });

  it.each([
    ['an ordinary Application', {}, true],
    ['one with a large spec', { spec: largeSpec(200_000) }, false],
    [
      'one whose spec Go writes larger',
      { spec: largeSpec(30_000, '<') },
      false,
    ],
    ['one with an operation', { operation: { sync: {} } }, false],
    [
      'one with very many labels',
      {
        metadata: {
          ...application().metadata,
          labels: Object.fromEntries(
            Array.from({ length: 101 }, (__, i) => [`label-${i}`, 'x']),
          ),
        },
      },
      false,
    ],
  ])('knows whether %s is small', (_, change, small) => {
    const builder = createWorkBuilder();
    const app = { ...application(), ...change } as ArgoApplication;
    expect(builder.isSmall(app, TARGET)).toBe(small);
    expect(builder.isSmall(app, TARGET)).toBe(small);
  });

  it('is within the limit with all that may be beside a small spec', () => {
    const builder = createWorkBuilder();
    const base = application();
    const app = {
      ...base,
      metadata: {
        ...base.metadata,
        labels: {
          ...base.metadata.labels,
          ...Object.fromEntries(
            Array.from({ length: 90 }, (_, i) => [
              `${'a'.repeat(250)}/${String(i).padStart(63, 'b')}`,
              'c'.repeat(63),
            ]),
          ),
        },
        annotations: {
          ...base.metadata.annotations,
          large: 'x'.repeat(256 * 1024),
        },
      },
      spec: largeSpec(99_000),
    } as ArgoApplication;
    expect(builder.isSmall(app, TARGET)).toBe(true);
    const { bytes } = builder.build(app, TARGET, {
      ...DEFAULT_PROPAGATION,
      includeNamespace: true,
    });
    expect(bytes).toBeGreaterThan(350_000);
    expect(bytes).toBeLessThan(MAX_MANIFESTS);
  });
});

function largeSpec(length: number, text = 'x') {
  const { spec } = application();
  return {
    ...spec,
    source: { ...spec.source, path: text.repeat(length) },
  };
}
