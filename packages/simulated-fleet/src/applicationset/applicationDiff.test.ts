import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import {
  applicationPatch,
  ownerReferenceTo,
  ownershipError,
} from './applicationDiff';

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
  metadata: { ...generated.metadata, ownerReferences: [ownerReferenceTo(set)] },
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
  it('is undefined without differences, regardless of status and operation', () => {
    expect(applicationPatch(live, generated, set)).toBeUndefined();
  });

  it('removes labels and annotations that the template does not have', () => {
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

  it('updates the spec, and removes fields that are no longer in it', () => {
    const spec = { project: 'other', revisionHistoryLimit: 3 };
    expect(applicationPatch({ ...live, spec }, generated, set)).toEqual({
      spec: {
        project: 'default',
        destination: { server: 's' },
        revisionHistoryLimit: null,
      },
    });
  });

  it('ignores the fields of ignoreApplicationDifferences', () => {
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

  it('sets a generated operation, and never removes one', () => {
    const operation = { sync: { prune: true } };
    expect(applicationPatch(live, { ...generated, operation }, set)).toEqual({
      operation: { sync: { prune: true } },
    });
  });

  it('adopts an Application of an earlier set with the same name, but not of another set', () => {
    const orphan = { ...ownerReferenceTo(set), uid: 'before' };
    expect(changed({ ownerReferences: [orphan] })).toEqual({
      metadata: { ownerReferences: [ownerReferenceTo(set)] },
    });
    const metadata = { ...live.metadata, ownerReferences: [orphan] };
    expect(ownershipError({ ...live, metadata }, set)).toBeUndefined();
    expect(
      ownershipError(
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
