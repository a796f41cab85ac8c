import { casesOf, unknownDifferences } from './contractCase';
import { CONTROLLER_TIMEOUT_MS, hubUnderTest } from './hubUnderTest';
import { applyCases } from './cases/applying';
import { collectionCases } from './cases/collections';
import { concurrencyCases } from './cases/concurrency';
import { deletionCases } from './cases/deleting';
import { definitionCases } from './cases/defining';
import { discoveryCases } from './cases/discovery';
import { dryRunCases } from './cases/dryRun';
import { fleetCases } from './cases/fleetResources';
import { garbageCases } from './cases/garbage';
import { limitCases } from './cases/limits';
import { metadataCases } from './cases/metadata';
import { objectCases } from './cases/objects';
import { pagingCases } from './cases/paging';
import { patchCases } from './cases/patching';
import { refusalCases } from './cases/refusing';
import { schemaCases } from './cases/schemas';
import { selectionCases } from './cases/selecting';
import { statusCases } from './cases/status';
import { tableCases } from './cases/tables';
import { watchCases } from './cases/watching';

const AREAS = {
  discovery: discoveryCases,
  objects: objectCases,
  metadata: metadataCases,
  schemas: schemaCases,
  refusing: refusalCases,
  selecting: selectionCases,
  paging: pagingCases,
  watching: watchCases,
  concurrency: concurrencyCases,
  patching: patchCases,
  applying: applyCases,
  'dry run': dryRunCases,
  status: statusCases,
  deleting: deletionCases,
  collections: collectionCases,
  garbage: garbageCases,
  tables: tableCases,
  definitions: definitionCases,
  'fleet resources': fleetCases,
  limits: limitCases,
};

describe('the contract of a hub', () => {
  const hub = hubUnderTest();

  describe.each(Object.entries(AREAS))('%s', (area, declare) => {
    const cases = casesOf(area, contractCase => declare(contractCase, hub));

    const runnable = cases.filter(({ runs }) => runs);
    if (runnable.length > 0) {
      it.each(runnable)(
        '$title',
        async ({ run }) => {
          expect.hasAssertions();
          await run();
        },
        3 * CONTROLLER_TIMEOUT_MS,
      );
    }
    // Counted as not run: an API server without its controllers, or one whose etcd is not at hand, cannot show them.
    for (const { title } of cases.filter(({ runs }) => !runs)) {
      it.todo(`${title} (needs what the server lacks)`);
    }
  });

  it('lists no difference that is none', () => {
    expect(unknownDifferences()).toEqual([]);
  });
});
