export { createResourceSync, type StatusStage } from './resourceSync';
