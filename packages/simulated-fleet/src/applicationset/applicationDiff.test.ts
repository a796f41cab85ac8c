import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { applicationPatch, ownedBy, ownershipMistake } from './applicationDiff';

const set: ApplicationSet = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'set', namespace: 'ns', uid: 'set-uid' },
  spec: { preservedFields: { labels: ['keep'] } },
};

const generated: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'app',
    namespace: 'ns',
    labels: { a: '1' },
    finalizers: ['resources-finalizer.argocd.argoproj.io'],
  },
  spec: { project: 'default', destination: { server: 's' } },
};

const live: Application = {
  ...generated,
  metadata: { ...generated.metadata, ownerReferences: [ownedBy(set)] },
  status: { health: { status: 'Healthy' } },
  operation: { sync: {} },
};

const changed = (metadata: Partial<Application['metadata']>) =>
  applicationPatch(
    { ...live, metadata: { ...live.metadata, ...metadata } },
    generated,
    set,
  );

describe('applicationPatch', () => {
  it('finds nothing to do where nothing differs, whatever status and operation are', () => {
    expect(applicationPatch(live, generated, set)).toBeUndefined();
  });

  it('takes away what the template does not have', () => {
    expect(changed({ labels: { a: '1', b: '2' } })).toEqual({
      metadata: { labels: { b: null } },
    });
  });

  it.each([
    ['preserved labels', { labels: { a: '1', keep: 'x' } }],
    [
      'the refresh annotation',
      { annotations: { 'argocd.argoproj.io/refresh': 'normal' } },
    ],
    [
      'the post-delete finalizers',
      {
        finalizers: [
          'resources-finalizer.argocd.argoproj.io',
          'post-delete-finalizer.argocd.argoproj.io/cleanup',
        ],
      },
    ],
  ])('leaves %s alone', (_, metadata) => {
    expect(changed(metadata)).toBeUndefined();
  });

  it('keeps the spec in step, removed fields included', () => {
    const spec = { project: 'other', revisionHistoryLimit: 3 };
    expect(applicationPatch({ ...live, spec }, generated, set)).toEqual({
      spec: {
        project: 'default',
        destination: { server: 's' },
        revisionHistoryLimit: null,
      },
    });
  });

  it('does not see what ignoreApplicationDifferences leads to', () => {
    const ignoring: ApplicationSet = {
      ...set,
      spec: {
        ignoreApplicationDifferences: [
          { jsonPointers: ['/spec/project', '/spec/nowhere/at/all'] },
          { name: 'another', jsonPointers: ['/spec/revisionHistoryLimit'] },
        ],
      },
    };
    const spec = { ...live.spec, project: 'other', revisionHistoryLimit: 3 };
    expect(applicationPatch({ ...live, spec }, generated, ignoring)).toEqual({
      spec: { revisionHistoryLimit: null },
    });
  });

  it('sets an operation that was generated, and takes none away', () => {
    const operation = { sync: { prune: true } };
    expect(applicationPatch(live, { ...generated, operation }, set)).toEqual({
      operation: { sync: { prune: true } },
    });
  });

  it('takes over what a set of the same name left, not what another one has', () => {
    const orphan = { ...ownedBy(set), uid: 'before' };
    expect(changed({ ownerReferences: [orphan] })).toEqual({
      metadata: { ownerReferences: [ownedBy(set)] },
    });
    const metadata = { ...live.metadata, ownerReferences: [orphan] };
    expect(ownershipMistake({ ...live, metadata }, set)).toBeUndefined();
    expect(
      ownershipMistake(
        {
          ...live,
          metadata: {
            ...live.metadata,
            ownerReferences: [{ ...orphan, name: 'another' }],
          },
        },
        set,
      ),
    ).toContain('already owned by another ApplicationSet controller another');
  });
});
