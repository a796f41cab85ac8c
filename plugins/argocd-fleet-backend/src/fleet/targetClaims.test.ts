import { APP_NAMESPACE_ANNOTATION } from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { emptyCache } from '../__testUtils__/emptyCache';
import { pullApplication } from '../__testUtils__/objects';
import { SEED } from '../__testUtils__/randomCases';
import { objectKey } from '../kubernetes/client/client';
import { deliveryTarget } from '../model/delivery/deliveryTarget';
import { applicationsWithSameTarget, mayCollide } from './targetClaims';

const namespace = fc.constantFrom('argocd', 'team-a', 'team-b');

const applications = fc.uniqueArray(
  fc
    .record({
      namespace,
      name: fc.constantFrom('web', 'api'),
      cluster: fc.constantFrom('one', 'two'),
      there: fc.option(namespace),
    })
    .map(({ namespace: here, name, cluster, there }) => {
      const plain = pullApplication(name, cluster).metadata.annotations;
      return pullApplication(name, cluster, {
        namespace: here,
        uid: `${here}-${name}`,
        annotations: {
          ...plain,
          ...(there && { [APP_NAMESPACE_ANNOTATION]: there }),
        },
      });
    }),
  { selector: ({ metadata }) => objectKey(metadata) },
);

it('finds all Applications with the same target, remapped or by their own namespace', () => {
  fc.assert(
    fc.property(applications, all => {
      const cache = emptyCache();
      all.forEach(each => cache.applyWriteResult('applications', each));
      for (const each of all) {
        const same = all.filter(
          other => deliveryTarget(other) === deliveryTarget(each),
        );
        const names = (found: readonly (typeof each)[]) =>
          found.map(({ metadata }) => objectKey(metadata)).sort();
        expect(names(applicationsWithSameTarget(each, cache))).toEqual(
          names(same),
        );
        expect(same.length === 1 || mayCollide(cache)).toBe(true);
      }
    }),
    { seed: SEED },
  );
});
