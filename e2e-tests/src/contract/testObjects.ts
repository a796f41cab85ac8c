import { GROUP } from './definitions';

/** Kind and resource of widgets with their group, as error messages name them. */
export const WIDGET_KIND = `Widget.${GROUP}`;
export const WIDGET_RESOURCE = `widgets.${GROUP}`;

export const WIDGET_TYPE = { apiVersion: `${GROUP}/v1`, kind: 'Widget' };
export const GADGET_TYPE = { apiVersion: `${GROUP}/v1`, kind: 'Gadget' };

export function configMap(name: string, metadata: object = {}) {
  return { metadata: { name, ...metadata } };
}

/** A ConfigMap for server-side apply, which requires its type. */
export function appliedConfigMap(name: string, data: object, more = {}) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...more },
    data,
  };
}

/** A ConfigMap with owner references. */
export function ownedBy(ownerReferences: readonly object[]) {
  return configMap('a', { ownerReferences });
}

/** A widget that is valid unless `spec` makes it invalid. */
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
