/**
 * Shared by the Argo CD Fleet plugins: types of Kubernetes objects, labels and annotations, types and client of the
 * HTTP API, permissions.
 * @packageDocumentation
 */
export * from './api';
export * from './applicationSetAnnotation';
export * from './catalogEntities';
export * from './client';
export * from './kubernetes';
export * from './kubernetesNames';
export * from './labels';
export * from './namePattern';
export * from './permissions';
export { isInRepositories, repositoryProblem } from './repositories';
export * from './status';
