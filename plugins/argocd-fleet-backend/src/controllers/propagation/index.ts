export { createPropagation } from './propagation';
export { createWorkFields } from './workFields';
