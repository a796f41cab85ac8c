import { application } from '../__testUtils__/applications';
import { createWorkBuilder, buildWork } from './workBuilder';
import { DEFAULT_PROPAGATION } from './workPlan';

const TARGET = { cluster: 'cluster1', name: 'guestbook-4a491' };

describe('a builder of works', () => {
  it('returns the work that it built for the same Application, target and options', () => {
    const build = createWorkBuilder();
    const app = application();
    const built = build(app, TARGET, DEFAULT_PROPAGATION);
    expect(build(app, { ...TARGET }, DEFAULT_PROPAGATION)).toBe(built);
    expect(built).toEqual(buildWork(app, TARGET, DEFAULT_PROPAGATION));
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
    const build = createWorkBuilder();
    const first = {
      app: application(),
      target: TARGET,
      options: DEFAULT_PROPAGATION,
    };
    const { app, target, options } = { ...first, ...change };
    const before = build(first.app, first.target, first.options);
    const built = build(app, target, options);
    expect(built).not.toBe(before);
    expect(built).toEqual(buildWork(app, target, options));
  });

  it('forgets the oldest', () => {
    const build = createWorkBuilder();
    const app = application();
    const built = build(app, TARGET, DEFAULT_PROPAGATION);
    for (let i = 0; i < 200; i += 1) {
      build(application(), TARGET, DEFAULT_PROPAGATION);
    }
    expect(build(app, TARGET, DEFAULT_PROPAGATION)).not.toBe(built);
  });
});
