import { GROUP } from './definitions';

export const WIDGET_TYPE = { apiVersion: `${GROUP}/v1`, kind: 'Widget' };
export const GADGET_TYPE = { apiVersion: `${GROUP}/v1`, kind: 'Gadget' };

export function configMap(name: string, metadata: object = {}) {
  return { metadata: { name, ...metadata } };
}

/** A ConfigMap as an apply wants it: with its type. */
export function appliedConfigMap(name: string, data: object, more = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...more },
    data,
  };
}

export function ownedBy(ownerReferences: readonly object[]) {
  return configMap('a', { ownerReferences });
}

/** A valid widget unless `spec` makes it an invalid one. */
export function widget(spec: object, metadata: object = {}) {
  return {
    ...WIDGET_TYPE,
    metadata: { name: 'w', ...metadata },
    spec: { title: 'abc', ...spec },
  };
}

export function gadget(name: string, more: object = {}) {
  return { ...GADGET_TYPE, metadata: { name }, ...more };
}
