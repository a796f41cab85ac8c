/**
 * Vocabulary of the Argo CD Fleet plugins.
 * @packageDocumentation
 */
export * from './api';
export * from './applicationSetAnnotation';
export * from './client';
export * from './kubernetes';
export * from './kubernetesNames';
export * from './labels';
export * from './permissions';
export * from './status';
