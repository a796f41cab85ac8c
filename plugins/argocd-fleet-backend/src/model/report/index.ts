// What is in a MulticlusterApplicationSetReport? `aggregateReport` makes it within the limits of its size,
// `reportPatch` the smallest patch of the stored one. Rules: docs/pull-model.md, "The report".

export {
  aggregateReport,
  reportRow,
  type DeployedLists,
  type ReportRow,
} from './aggregateReport';
export {
  changedParts,
  listText,
  type ReportParts,
  type WrittenReport,
} from './reportLimits';
export { reportPatch, rowOperations, type SameField } from './reportPatch';
