import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An error text of Argo CD or of an API server, and the finding that it is. */
export interface ArgocdText {
  readonly code: string;
  /** Of the condition; a failed resource of the last sync by default. */
  readonly type?: string;
  readonly message: string;
  /** What the finding names besides, in its title or message. */
  readonly names?: string;
}

const SOURCE = 'failed to generate manifest for source 1 of 1: ';
const TARGET = `Failed to load target state: ${SOURCE}`;
const RENDERED = `${TARGET}rpc error: code = Unknown desc = `;
const CACHED = `${RENDERED}Manifest generation error (cached): `;
const LIVE =
  'Failed to load live state: failed to get cluster info for "https://kubernetes.default.svc": ';
const CACHE = `${LIVE}error synchronizing cache state : failed to sync cluster https://172.30.0.1:443: `;
const FORBIDDEN_LIST =
  'certificates.cert-manager.io is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot list resource "certificates" in API group "cert-manager.io" at the cluster scope';

/** Conditions of comparing: what Argo CD could not read, fetch or render. */
const COMPARING: readonly ArgocdText[] = [
  // The repo server of the cluster's Argo CD
  {
    code: 'AFC-233',
    message: `${TARGET}rpc error: code = Unavailable desc = error reading from server: EOF`,
  },
  {
    code: 'AFC-233',
    message: `${TARGET}rpc error: code = DeadlineExceeded desc = context deadline exceeded`,
  },
  {
    code: 'AFC-233',
    message: `${TARGET}rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority"`,
  },
  // Repositories
  {
    code: 'AFC-205',
    message: `${RENDERED}failed to list refs: dial tcp 10.0.0.1:443: i/o timeout`,
  },
  {
    code: 'AFC-205',
    message: `${TARGET}rpc error: code = Internal desc = Failed to fetch default: \`git fetch origin --tags --force --prune\` failed exit status 128: fatal: unable to access 'https://git.example.com/team/app.git/': Could not resolve host: git.example.com`,
  },
  {
    code: 'AFC-205',
    message: `${RENDERED}\`helm dependency build\` failed exit status 1: Error: could not retrieve list of tags: Get "https://charts.example.com/index.yaml": dial tcp 10.1.2.3:443: connect: connection refused`,
  },
  {
    code: 'AFC-206',
    message: `${RENDERED}failed to list refs: authentication required: Repository not found.`,
  },
  {
    code: 'AFC-206',
    message: `${CACHED}failed to list refs: authentication required`,
  },
  {
    code: 'AFC-206',
    message: `${TARGET}rpc error: code = Internal desc = Failed to fetch default: \`git fetch origin --tags --force --prune\` failed exit status 128: fatal: unable to access 'https://git.example.com/team/app.git/': The requested URL returned error: 403`,
  },
  {
    code: 'AFC-206',
    message: `${RENDERED}failed to initialize oci client: unexpected status from HEAD request to https://registry.example.com/v2/team/app/manifests/1.2.3: response status code 401: unauthorized`,
  },
  {
    // A revision of that name is no answer of a server.
    code: 'AFC-207',
    message: `${RENDERED}unable to resolve '403' to a commit SHA`,
  },
  {
    code: 'AFC-237',
    message: `${RENDERED}failed to list refs: ssh: handshake failed: knownhosts: key is unknown`,
  },
  // Rendering
  {
    code: 'AFC-212',
    message: `${TARGET}rpc error: code = FailedPrecondition desc = Failed to unmarshal "values.yaml": failed to unmarshal manifest: error converting YAML to JSON: yaml: line 403: could not find expected ':'`,
  },
  {
    code: 'AFC-212',
    message: `${CACHED}\`helm template . --name-template app --include-crds\` failed exit status 1: Error: execution error at (app/templates/secret.yaml:3:4): authentication required`,
  },
  {
    code: 'AFC-212',
    message: `${RENDERED}CMP processing failed for application "app": error generating manifests in cmp: rpc error: code = Unknown desc = error generating manifests: \`sh -c "argocd-vault-plugin generate ."\` failed exit status 1: Error: Error making API request. URL: GET https://vault.example.com/v1/app Code: 403. Errors: * permission denied`,
  },
  {
    code: 'AFC-212',
    message: `${RENDERED}\`kustomize build /tmp/_cmp/overlays/prod\` failed exit status 1: Error: accumulating resources: dial tcp 10.0.0.1:443: i/o timeout`,
  },
  {
    code: 'AFC-212',
    message:
      'error calculating structured merge diff: error building typed value from live resource: .status.terminatingReplicas: field not declared in schema',
  },
  // The cluster
  {
    code: 'AFC-235',
    names: 'cert-manager/cert-manager-webhook',
    message: `${CACHE}failed to load initial state of resource Certificate.cert-manager.io: conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": dial tcp 172.30.11.4:443: connect: connection refused`,
  },
  {
    code: 'AFC-235',
    names: 'Certificate (cert-manager.io/v1alpha2)',
    message: `${CACHE}failed to load initial state of resource Certificate.cert-manager.io: conversion webhook for cert-manager.io/v1alpha2, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": no endpoints available for service "cert-manager-webhook"`,
  },
  {
    code: 'AFC-236',
    names: 'keda-operator',
    message: `${LIVE}failed to get server resources: error trying to reach service: no endpoints available for service "keda-operator"`,
  },
  {
    code: 'AFC-236',
    message: `${LIVE}error getting openapi data: the server is currently unable to handle the request`,
  },
  {
    code: 'AFC-234',
    message: `${CACHE}failed to get cluster version: Get "https://172.30.0.1:443/version?timeout=32s": dial tcp 172.30.0.1:443: connect: connection refused`,
  },
  {
    code: 'AFC-204',
    names: 'list certificates',
    message: `${CACHE}failed to load initial state of resource Certificate.cert-manager.io: failed to list resources: ${FORBIDDEN_LIST}`,
  },
].map(text => ({ type: 'ComparisonError', ...text }));

/** Conditions about the Application or about Argo CD itself. */
const CONDITIONS: readonly ArgocdText[] = [
  {
    code: 'AFC-239',
    type: 'InvalidSpecError',
    names: 'https://api.one.example.com:6443, https://api.two.example.com:6443',
    message:
      'application destination spec for app is invalid: there are 2 clusters with the same name: [https://api.one.example.com:6443 https://api.two.example.com:6443]',
  },
  {
    code: 'AFC-205',
    type: 'InvalidSpecError',
    message:
      'repository not accessible: dial tcp: lookup git.example: no such host',
  },
  {
    code: 'AFC-252',
    type: 'UnknownError',
    message: 'error getting cluster by server "https://kubernetes.default.svc"',
  },
  {
    code: 'AFC-234',
    type: 'UnknownError',
    message:
      'error synchronizing cache state : failed to sync cluster https://172.30.0.1:443: failed to get cluster version: the server has asked for the client to provide credentials',
  },
  {
    code: 'AFC-232',
    type: 'DeletionError',
    message:
      'error getting destination cluster: there are no clusters with this name: edge-7',
  },
  {
    code: 'AFC-250',
    type: 'OperationError',
    message:
      'Shared resource found: ConfigMap/settings is part of applications argocd/a and argocd/b',
  },
  {
    code: 'AFC-206',
    type: 'SyncError',
    message: `Failed last sync attempt to 53e28ff: ComparisonError: ${RENDERED}failed to list refs: authorization failed`,
  },
  {
    code: 'AFC-211',
    type: 'SyncError',
    message:
      'Failed last sync attempt to 53e28ff: one or more synchronization tasks completed unsuccessfully (retried 5 times)',
  },
];

/** Messages of resources that a sync could not apply. */
const APPLYING: readonly ArgocdText[] = [
  {
    code: 'AFC-243',
    names: 'example.com/v1/Widget',
    message:
      'resource mapping not found for name: "w" namespace: "shop" from "/dev/shm/1": no matches for kind "Widget" in version "example.com/v1" ensure CRDs are installed first',
  },
  {
    code: 'AFC-244',
    names: 'validate.kyverno.svc-fail',
    message:
      'admission webhook "validate.kyverno.svc-fail" denied the request: resource Deployment/shop/web was blocked due to the following policies',
  },
  {
    code: 'AFC-244',
    names: 'demo-policy',
    message:
      "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'demo-policy' with binding 'demo-binding' denied request: failed expression: object.spec.replicas <= 5",
  },
  {
    code: 'AFC-245',
    names: 'webhook.cert-manager.io',
    message:
      'Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": no endpoints available for service "cert-manager-webhook"',
  },
  {
    code: 'AFC-246',
    message:
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web2"}}: field is immutable',
  },
  {
    code: 'AFC-246',
    message:
      "StatefulSet.apps \"db\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template' are forbidden",
  },
  {
    code: 'AFC-248',
    names: 'compute',
    message:
      'pods "web" is forbidden: exceeded quota: compute, requested: limits.cpu=2, used: limits.cpu=9, limited: limits.cpu=10',
  },
  {
    code: 'AFC-249',
    message:
      'Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: .spec.replicas',
  },
  {
    code: 'AFC-240',
    message:
      'CustomResourceDefinition.apiextensions.k8s.io "applicationsets.argoproj.io" is invalid: metadata.annotations: Too long: must have at most 262144 bytes',
  },
  {
    code: 'AFC-241',
    message: `ConfigMap "settings" is invalid: metadata.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
  },
  {
    code: 'AFC-211',
    message: 'Internal error occurred: etcdserver: request timed out',
  },
];

/**
 * Texts that Argo CD 3.2.11 gave on a real cluster, recorded by `systemTests/provoked`; also those of resources that a
 * sync could not apply, and messages of operations.
 */
export const PROVOKED_TEXTS: readonly ArgocdText[] = JSON.parse(
  readFileSync(join(__dirname, 'provokedTexts-v3.2.11.json'), 'utf8'),
);

/**
 * Texts that were not provoked, as public reports and the sources of Argo CD 3.2 and of Kubernetes word them: of other
 * versions, or of servers that no test has.
 */
export const ARGOCD_TEXTS: readonly ArgocdText[] = [
  ...COMPARING,
  ...CONDITIONS,
  ...APPLYING,
];
