import { collectCases, unknownDifferences } from './contractCase';
import { hubUnderTest, IS_EMBEDDED } from './hubUnderTest';
import { collectionCases } from './cases/collections';
import { concurrencyCases } from './cases/concurrency';
import { customResourceDefinitionCases } from './cases/customResourceDefinitions';
import { deletionCases } from './cases/deletion';
import { discoveryCases } from './cases/discovery';
import { dryRunCases } from './cases/dryRun';
import { fleetResourceCases } from './cases/fleetResources';
import { garbageCollectionCases } from './cases/garbageCollection';
import { limitCases } from './cases/limits';
import { metadataCases } from './cases/metadata';
import { objectCases } from './cases/objects';
import { paginationCases } from './cases/pagination';
import { patchCases } from './cases/patches';
import { refusedRequestCases } from './cases/refusedRequests';
import { schemaCases } from './cases/schemas';
import { selectorCases } from './cases/selectors';
import { serverSideApplyCases } from './cases/serverSideApply';
import { serverSideApplyMergeCases } from './cases/serverSideApplyMerge';
import { statusCases } from './cases/status';
import { tableCases } from './cases/tables';
import { watchCases } from './cases/watches';
import { LIMIT_MS } from '../polling';

if (!IS_EMBEDDED) {
  // Some cases wait for the controllers of a real hub several times.
  jest.setTimeout(3 * LIMIT_MS);
}

const AREAS = {
  discovery: discoveryCases,
  objects: objectCases,
  metadata: metadataCases,
  schemas: schemaCases,
  'refused requests': refusedRequestCases,
  selectors: selectorCases,
  pagination: paginationCases,
  watches: watchCases,
  concurrency: concurrencyCases,
  patches: patchCases,
  'server-side apply': serverSideApplyCases,
  'merges of server-side apply': serverSideApplyMergeCases,
  'dry run': dryRunCases,
  status: statusCases,
  deletion: deletionCases,
  collections: collectionCases,
  'garbage collection': garbageCollectionCases,
  tables: tableCases,
  'custom resource definitions': customResourceDefinitionCases,
  'fleet resources': fleetResourceCases,
  limits: limitCases,
};

describe('the Kubernetes API contract of a hub', () => {
  const hub = hubUnderTest();

  describe.each(Object.entries(AREAS))('%s', (area, declare) => {
    const cases = collectCases(area, contractCase =>
      declare(contractCase, hub),
    );

    const supported = cases.filter(({ isSupported }) => isSupported);
    if (supported.length > 0) {
      it.each(supported)('$title', async ({ run }) => {
        expect.hasAssertions();
        await run();
      });
    }
    // Reported as not run: these cases need controllers or access to etcd.
    for (const { title } of cases.filter(each => !each.isSupported)) {
      it.todo(`${title} (the server lacks a capability)`);
    }
  });

  it('has a case for every intended difference', () => {
    expect(unknownDifferences()).toEqual([]);
  });
});
