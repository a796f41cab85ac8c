import { collectCases, unknownDifferences } from './contractCase';
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

describe('the Kubernetes API contract of a hub', () => {
  const hub = hubUnderTest();

  describe.each(Object.entries(AREAS))('%s', (area, declare) => {
    const cases = collectCases(area, contractCase =>
      declare(contractCase, hub),
    );

    const supported = cases.filter(({ isSupported }) => isSupported);
    if (supported.length > 0) {
      it.each(supported)(
        '$title',
        async ({ run }) => {
          expect.hasAssertions();
          await run();
        },
        3 * CONTROLLER_TIMEOUT_MS,
      );
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
