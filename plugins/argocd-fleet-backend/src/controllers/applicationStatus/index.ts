export { createApplicationStatus } from './applicationStatus';
