import fc from 'fast-check';
import { KubernetesValidatorFunctions } from '@backstage/catalog-model';
import {
  applicationSetResourceName,
  applicationSetResourceRef,
  clusterResourceName,
  clusterResourceRef,
} from './resourceNames';

/** Set ARGOCD_FLEET_SEED to repeat an earlier run. */
const SEED = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

/** Names that Kubernetes allows, and what people may type into a configuration; similar enough to collide. */
const part = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,5}[a-z0-9])?$/),
  fc.stringMatching(/^[aAbB.:_/-]{1,4}$/),
  fc.stringMatching(/^[a-z0-9]{40,70}$/),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const identity = fc.oneof(fc.tuple(part, part), fc.tuple(part, part, part));

function nameOf(parts: readonly string[]): string {
  const [hub, second, third] = parts;
  return third === undefined
    ? clusterResourceName(hub, second)
    : applicationSetResourceName({ hub, namespace: second, name: third });
}

describe('entity names of clusters and ApplicationSets', () => {
  it('have hub, namespace and name if that is valid', () => {
    expect(clusterResourceRef('hub', 'cluster1')).toBe(
      'resource:default/hub.cluster1',
    );
    expect(
      applicationSetResourceRef({
        hub: 'hub',
        namespace: 'openshift-gitops',
        name: 'guestbook-allclusters-app-set',
      }),
    ).toBe(
      'resource:default/hub.openshift-gitops.guestbook-allclusters-app-set',
    );
  });

  it('are shortened and end in a hash if they would be too long', () => {
    const name = applicationSetResourceName({
      hub: 'hub',
      namespace: 'openshift-gitops',
      name: 'a-very-long-name-of-an-applicationset-that-goes-on-and-on',
    });
    expect(name).toMatch(
      /^hub\.openshift-gitops\.a-very-long-name-of-an-[a-z-]+_[0-9a-f]{10}$/,
    );
    expect(name).toHaveLength(63);
  });

  it.each([
    ['a hub with a dot and one without', ['a.b', 'c'], ['a', 'b.c']],
    ['capitals', ['Hub', 'cluster1'], ['hub', 'cluster1']],
    [
      'a cluster and an ApplicationSet',
      ['hub', 'ns.name'],
      ['hub', 'ns', 'name'],
    ],
    ['characters that the catalog does not allow', ['h b', 'c'], ['h/b', 'c']],
  ])('differ for %s', (_, one, other) => {
    expect(nameOf(one)).not.toBe(nameOf(other));
  });

  it('are always valid', () => {
    fc.assert(
      fc.property(identity, parts => {
        expect(
          KubernetesValidatorFunctions.isValidObjectName(nameOf(parts)),
        ).toBe(true);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('are unique for each object, compared case-insensitively', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(identity, {
          minLength: 2,
          maxLength: 40,
          selector: parts => JSON.stringify(parts),
        }),
        identities => {
          const names = identities.map(parts => nameOf(parts).toLowerCase());
          expect(new Set(names).size).toBe(identities.length);
        },
      ),
      { seed: SEED, numRuns: 500 },
    );
  });
});
