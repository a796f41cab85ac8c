import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';

const KEPT = 'The last answers of Search are shown until it answers again.';

/** 43x: resource sources, RHACM's Search among them. */
export const sourceFindings = {
  sourceFailed: defineFinding(
    'AFC-430',
    'warning',
    (source: string, hub: string, details: Details = {}) => ({
      title: `The resource source ${source} failed`,
      message: `${source} gave no answer about hub "${hub}". Its last answer is shown until it does.`,
      ...details,
    }),
    'clusters',
  ),

  searchRefused: defineFinding(
    'AFC-431',
    'error',
    (hub: string, url: string, clusters: string, details: Details = {}) => ({
      title: `Search of hub ${hub} does not accept the token`,
      message: `RHACM’s Search at ${url} denied access to ${clusters}: the token is missing, has expired, or is not of this hub. ${KEPT}`,
      fix: {
        description:
          'Set argocdFleet.hubs[].search.tokenFile (or token) to the token of a service account of this hub that may see all managed data in Search. The file may be renewed while the backend runs:',
        command:
          'kubectl create token argocd-fleet-search -n argocd-fleet --duration=24h',
      },
      ...details,
    }),
    'clusters',
  ),

  searchUntrusted: defineFinding(
    'AFC-432',
    'error',
    (hub: string, url: string, details: Details = {}) => ({
      title: `The certificate of Search of hub ${hub} is not trusted`,
      message: `The backend refused the connection to ${url}, because its certificate does not prove that it is Search. ${KEPT}`,
      fix: {
        description:
          'Set argocdFleet.hubs[].search.caFile (or caData) to the CA that signed the certificate, and the address to a name in the certificate. Inside OpenShift, every pod has the CA of services in this file:',
        command: '/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt',
      },
      ...details,
    }),
    'clusters',
  ),

  searchUnavailable: defineFinding(
    'AFC-433',
    'warning',
    (hub: string, url: string, clusters: string, details: Details = {}) => ({
      title: `Search of hub ${hub} does not answer`,
      message: `RHACM’s Search at ${url} gave no answer in time about ${clusters}. ${KEPT}`,
      fix: {
        description:
          'Check that Search runs and that the backend can reach it. If it is only slow, send smaller requests (argocdFleet.hubs[].search.batchSize, concurrency) or raise the timeout.',
        command: 'kubectl get pods -A | grep search-',
      },
      ...details,
    }),
    'clusters',
  ),

  searchFailed: defineFinding(
    'AFC-434',
    'warning',
    (hub: string, clusters: string, details: Details = {}) => ({
      title: `Search of hub ${hub} failed for a part of the fleet`,
      message: `RHACM’s Search has no result for ${clusters}. ${KEPT}`,
      fix: {
        description:
          'The evidence is the error of Search; its log has more. If its database takes too long, lower argocdFleet.hubs[].search.batchSize.',
      },
      ...details,
    }),
    'clusters',
  ),

  searchMalformed: defineFinding(
    'AFC-435',
    'warning',
    (hub: string, skipped: string, details: Details = {}) => ({
      title: `Search of hub ${hub} returns items that cannot be read`,
      message: `The last round skipped these items and used all others: ${skipped}. An Application that could not be read shows the last answer about it.`,
      fix: {
        description:
          'The evidence is the first of them. If this version of RHACM writes its index in that form, report it as a bug.',
      },
      ...details,
    }),
  ),

  searchLimit: defineFinding(
    'AFC-436',
    'warning',
    (hub: string, clusters: string, limit: number, details: Details = {}) => ({
      title: `Search of hub ${hub} has more items than the limit`,
      message: `The Applications of ${clusters}, or the items related to them, reach the limit of one answer (${limit}) even in a search for one cluster alone. The errors that fit are shown; lists of resources are left out, because they would have gaps.`,
      fix: {
        description:
          'Raise argocdFleet.hubs[].search.limit. Replica sets and pods count too.',
      },
      ...details,
    }),
    'clusters',
  ),

  searchEmpty: defineFinding(
    'AFC-437',
    'info',
    (hub: string, clusters: number, details: Details = {}) => ({
      title: `Search of hub ${hub} returns no Applications`,
      message: `RHACM’s Search answers, but returns no Application on ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}. It leaves out without an error what the service account may not see, and what its collectors have not sent yet.`,
      fix: {
        description:
          'Check that this prints "yes" for the service account of the token; otherwise bind it to the ClusterRole of docs/installation.md. Then check that the add-on search-collector runs on the clusters.',
        command:
          'kubectl auth can-i get searches.search.open-cluster-management.io --subresource=allManagedData --as=system:serviceaccount:argocd-fleet:argocd-fleet-search',
      },
      ...details,
    }),
    'clusters',
  ),

  answerMalformed: defineFinding(
    'AFC-438',
    'warning',
    (source: string, hub: string, count: number, details: Details = {}) => ({
      title: `The resource source ${source} returns details that cannot be read`,
      message: `In its last answer about hub "${hub}", ${count} of the details did not name their Application. They were skipped, and all others used; Applications that the answer did not name show the last answer about them.`,
      fix: {
        description:
          'The evidence is the first of them. Correct the module that provides the source: each of its details needs the namespace and the name of its Application.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'43'>;
