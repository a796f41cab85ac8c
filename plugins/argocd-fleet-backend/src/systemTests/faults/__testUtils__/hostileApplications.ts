import {
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { NAMESPACE } from '../../../__testUtils__/objects';

/** The cluster that only the tenant may deliver to. */
export const TENANT_CLUSTER = 'tenants-own';

/** Turns a harmless Application into a hostile one. */
export type ApplicationChange = (
  application: ArgoApplication,
) => ArgoApplication;

export const withAnnotations =
  (annotations: Record<string, string>): ApplicationChange =>
  application => ({
    ...application,
    metadata: {
      ...application.metadata,
      annotations: { ...application.metadata.annotations, ...annotations },
    },
  });

export const targeting = (cluster: string) =>
  withAnnotations({ [MANAGED_CLUSTER_ANNOTATION]: cluster });

export const withAppNamespace = (namespace: string) =>
  withAnnotations({ [APP_NAMESPACE_ANNOTATION]: namespace });

export const withPullLabel =
  (value: string): ApplicationChange =>
  application => ({
    ...application,
    metadata: { ...application.metadata, labels: { [PULL_LABEL]: value } },
  });

/** Applications that must not get a ManifestWork: title, finding code, change. */
export const REFUSED: [string, string, ApplicationChange][] = [
  ['a cluster of another namespace', 'AFC-104', targeting('one')],
  ['such a cluster surrounded by spaces', 'AFC-104', targeting(' one\n')],
  ['the namespace of the hub’s Argo CD', 'AFC-104', targeting(NAMESPACE)],
  ['a path to another cluster', 'AFC-103', targeting('../one')],
  ['a longer path', 'AFC-103', targeting(`${TENANT_CLUSTER}/../../one/x`)],
  ['an encoded path', 'AFC-103', targeting(`${TENANT_CLUSTER}%2f..%2fone`)],
  ['a query', 'AFC-103', targeting('one?dryRun=All')],
  ['an empty cluster name', 'AFC-101', targeting('')],
  ['only whitespace', 'AFC-101', targeting(' \t\n\u00a0\ufeff')],
  ['a Cyrillic homoglyph', 'AFC-103', targeting('\u043ene')],
  ['capital letters', 'AFC-103', targeting('ONE')],
  [
    'control characters',
    'AFC-103',
    targeting(`${TENANT_CLUSTER}\u0000\u001b[2Jone`),
  ],
  ['two lines', 'AFC-103', targeting(`${TENANT_CLUSTER}\none`)],
  ['a list', 'AFC-103', targeting(`${TENANT_CLUSTER},one`)],
  ['a wildcard', 'AFC-103', targeting('*')],
  ['a shell command', 'AFC-103', targeting('$(kubectl delete ns one)')],
  ['a cluster name of 253 characters', 'AFC-103', targeting('a'.repeat(253))],
  ['a cluster name of 63 characters', 'AFC-102', targeting('a'.repeat(63))],
  [
    'a cluster name of a quarter of a megabyte',
    'AFC-103',
    targeting('a'.repeat(250_000)),
  ],
  [
    'a property of every JavaScript object',
    'AFC-102',
    targeting('constructor'),
  ],
  ['a prototype', 'AFC-103', targeting('__proto__')],
  ['a path as namespace', 'AFC-103', withAppNamespace('../kube-system')],
  [
    'a namespace of 253 characters',
    'AFC-103',
    withAppNamespace('a'.repeat(253)),
  ],
  ['the namespace kube-system', 'AFC-113', withAppNamespace('kube-system')],
  ['the namespace of Argo CD', 'AFC-113', withAppNamespace(NAMESPACE)],
  ['that namespace and spaces', 'AFC-113', withAppNamespace(` ${NAMESPACE}\n`)],
  [
    'the namespace “constructor”, a property of every JavaScript object',
    'AFC-113',
    withAppNamespace('constructor'),
  ],
  [
    'manifests larger than a ManifestWork may be',
    'AFC-105',
    application => ({
      ...application,
      spec: {
        ...application.spec,
        source: {
          ...application.spec.source!,
          helm: { values: 'x'.repeat(600_000) },
        },
      },
    }),
  ],
  [
    'an operation larger than a ManifestWork may be',
    'AFC-412',
    application => ({
      ...application,
      operation: { info: [{ name: 'x', value: 'x'.repeat(600_000) }] },
    }),
  ],
];

/** Applications that may be delivered, but only to {@link TENANT_CLUSTER}: title, change. */
export const DELIVERED: [string, ApplicationChange][] = [
  [
    'the destination of another cluster',
    withAnnotations({
      [DESTINATION_SERVER_ANNOTATION]: 'https://one.example.com',
    }),
  ],
  [
    'the annotations of another Application’s ManifestWork',
    withAnnotations({
      [HUB_APPLICATION_NAMESPACE_ANNOTATION]: NAMESPACE,
      [HUB_APPLICATION_NAME_ANNOTATION]: 'victim',
    }),
  ],
  [
    'a thousand finalizers',
    application => ({
      ...application,
      metadata: {
        ...application.metadata,
        finalizers: Array.from(
          { length: 1000 },
          (_, i) => `a.example.com/${i}`,
        ),
      },
    }),
  ],
  ...['1', 't', 'T', 'TRUE', 'True'].map(
    (value): [string, ApplicationChange] => [
      `the label "${value}"`,
      withPullLabel(value),
    ],
  ),
];

/** Values of the pull label that do not select the pull model. */
export const NOT_PULLED = ['', 'yes', 'tRUE', '2', 'on', 'false'];
