import { applicationFindings } from './applicationFindings';
import { applicationSetFindings } from './applicationSetFindings';
import { argocdFindings } from './argocdFindings';
import { catalogFindings } from './catalogFindings';
import { clusterFindings } from './clusterFindings';
import { clusterImportFindings } from './clusterImportFindings';
import { controllerFindings } from './controllerFindings';
import type { FindingDefinition, Revealed } from './defineFinding';
import { hubFindings } from './hubFindings';
import { refusalFindings } from './refusalFindings';
import { removalFindings } from './removalFindings';
import { sourceFindings } from './sourceFindings';
import { writerFindings } from './writerFindings';

/** Every kind of finding. The tests compare it with docs/findings/. */
export const FINDINGS = [
  applicationFindings,
  removalFindings,
  writerFindings,
  clusterFindings,
  argocdFindings,
  refusalFindings,
  applicationSetFindings,
  hubFindings,
  controllerFindings,
  sourceFindings,
  catalogFindings,
  clusterImportFindings,
].flatMap(range => Object.values<FindingDefinition>(range));

const REVEALED = new Map(FINDINGS.map(({ code, reveals }) => [code, reveals]));

/** What a finding of this code tells of others; codes of resource sources of other plugins name and count clusters. */
export function revealedBy(code: string): Revealed {
  return REVEALED.get(code) ?? 'clusters';
}
