export { createAggregation } from './aggregation';
