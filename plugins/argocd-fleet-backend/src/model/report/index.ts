export { aggregateReport, reportRow, type ReportRow } from './aggregateReport';
export { changedParts, listText } from './reportLimits';
export { reportPatch, rowOperations } from './reportPatch';
export { summarise, worst } from './summary';
