import { applicationFindings } from './applicationFindings';
import { applicationSetFindings } from './applicationSetFindings';
import { catalogFindings } from './catalogFindings';
import { clusterFindings } from './clusterFindings';
import { clusterImportFindings } from './clusterImportFindings';
import { controllerFindings } from './controllerFindings';
import type { FindingDefinition } from './defineFinding';
import { hubFindings } from './hubFindings';
import { removalFindings } from './removalFindings';
import { sourceFindings } from './sourceFindings';
import { writerFindings } from './writerFindings';

/** Every kind of finding. The tests compare it with docs/findings.md. */
export const FINDINGS = [
  applicationFindings,
  removalFindings,
  writerFindings,
  clusterFindings,
  applicationSetFindings,
  hubFindings,
  controllerFindings,
  sourceFindings,
  catalogFindings,
  clusterImportFindings,
].flatMap(range => Object.values<FindingDefinition>(range));
