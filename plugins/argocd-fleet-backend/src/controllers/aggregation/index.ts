// Keeps one MulticlusterApplicationSetReport for each ApplicationSet with pull-model Applications. Key: an
// ApplicationSet. What a report contains is decided in model/report.

export { createAggregation } from './aggregation';
