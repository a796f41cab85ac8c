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
export { summarise, worst } from './summary';
