/* Generated from docs/findings.md by `npm run generate`. Texts in backticks are code. */

/** What a code means. */
export interface DocumentedFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** With `<word>` for each name that differs from finding to finding. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every code, in the sections of docs/findings.md. */
export const FINDING_SECTIONS: readonly {
  readonly title: string;
  readonly findings: readonly DocumentedFinding[];
}[] = [
  {
    "title": "The Application on the hub and its delivery",
    "findings": [
      {
        "code": "AFC-101",
        "severity": "error",
        "title": "No target cluster",
        "meaning": "The Application has the pull label and no target annotation.",
        "remedy": "Add `apps.open-cluster-management.io/ocm-managed-cluster` to the template."
      },
      {
        "code": "AFC-102",
        "severity": "error",
        "title": "No managed cluster `<cluster>`",
        "meaning": "The annotation names a cluster that the hub does not manage.",
        "remedy": "Import the cluster or correct the annotation."
      },
      {
        "code": "AFC-103",
        "severity": "error",
        "title": "Illegal name of `<object>`",
        "meaning": "Kubernetes does not accept a name.",
        "remedy": "Use lower case letters, digits and hyphens."
      },
      {
        "code": "AFC-104",
        "severity": "error",
        "title": "No placement decision for `<cluster>`",
        "meaning": "No Placement in the Application’s namespace selects the cluster.",
        "remedy": "Have a Placement of that namespace select it; check the bindings of cluster sets."
      },
      {
        "code": "AFC-105",
        "severity": "error",
        "title": "Too large for a ManifestWork",
        "meaning": "The Application is larger than a ManifestWork may be (512,000 bytes).",
        "remedy": "Move long values into the repository."
      },
      {
        "code": "AFC-106",
        "severity": "error",
        "title": "The name of the ManifestWork is taken",
        "meaning": "A ManifestWork of another owner has the name.",
        "remedy": "Remove it if it is not needed."
      },
      {
        "code": "AFC-107",
        "severity": "warning",
        "title": "The hub’s Argo CD reconciles pulled Applications",
        "meaning": "`skip-reconcile` is missing: two Argo CDs write the same Application’s status.",
        "remedy": "Add the annotation to the template."
      },
      {
        "code": "AFC-108",
        "severity": "warning",
        "title": "The ManifestWork is read-only",
        "meaning": "RHACM was switched off and set the work to `ReadOnly`.",
        "remedy": "Set `argocdFleet.propagation.adoptReadOnly: true` to take all such works over."
      },
      {
        "code": "AFC-109",
        "severity": "warning",
        "title": "No ManifestWork yet",
        "meaning": "The ManifestWork does not exist yet.",
        "remedy": "Wait some seconds if propagation runs; otherwise check its mode and permissions."
      },
      {
        "code": "AFC-110",
        "severity": "warning",
        "title": "Waits for the deletion of the old ManifestWork",
        "meaning": "The ManifestWork that the Application needs is being deleted.",
        "remedy": "Wait until the agent has completed the deletion; it has to be connected for that."
      },
      {
        "code": "AFC-111",
        "severity": "error",
        "title": "Another Application of the hub has the same target",
        "meaning": "Two Applications of the hub would be the same object on a cluster; the one that was there first is delivered.",
        "remedy": "Rename one, or correct the annotation for its namespace on the cluster."
      },
      {
        "code": "AFC-112",
        "severity": "warning",
        "title": "No AppProject `<project>` on the hub",
        "meaning": "Propagation is set to deliver AppProjects, and Argo CD’s namespace on the hub has none of this name.",
        "remedy": "Create it there, or correct `spec.project`."
      },
      {
        "code": "AFC-113",
        "severity": "error",
        "title": "May not use the namespace `<namespace>` of its cluster",
        "meaning": "The configuration does not allow Applications of this hub namespace that namespace of managed clusters.",
        "remedy": "Correct the annotation, or allow it with `argocdFleet.propagation.appNamespaces`."
      },
      {
        "code": "AFC-114",
        "severity": "warning",
        "title": "The namespace `<namespace>` is not delivered",
        "meaning": "Propagation is set to deliver namespaces, and this one belongs to Kubernetes or OpenShift.",
        "remedy": "Create it on the cluster, or set `argocdFleet.propagation.argocdNamespace`."
      },
      {
        "code": "AFC-115",
        "severity": "error",
        "title": "The placement decision for `<cluster>` does not count",
        "meaning": "The decision lacks its Placement’s label or ownerReference, or the cluster is in no ManagedClusterSet that is bound to the namespace and that the Placement may use. What exists stays and is not updated. Shown for imported clusters too.",
        "remedy": "Have the set bound, or let a Placement select the cluster; remove the decision only after that."
      },
      {
        "code": "AFC-116",
        "severity": "warning",
        "title": "Not known whether `<cluster>` may be used",
        "meaning": "A decision names the cluster, but Placements, ManagedClusterSets or their bindings are not listed, so nothing is written for it; what exists stays.",
        "remedy": "Wait some seconds at a start; otherwise let the backend’s user read them (`deploy/rbac/read.yaml`)."
      },
      {
        "code": "AFC-117",
        "severity": "info",
        "title": "Keeps the default namespace `<namespace>`",
        "meaning": "The Application has no `spec.destination.namespace`, and its ManifestWork has the namespace of the Application on the cluster, until the spec changes.",
        "remedy": "To keep it, set `spec.destination.namespace` in the template of the ApplicationSet."
      },
      {
        "code": "AFC-118",
        "severity": "error",
        "title": "No pull label, so nothing deploys it",
        "meaning": "The Application has annotations of the pull model but no label `apps.open-cluster-management.io/pull-to-ocm-managed-cluster: \"true\"`, or one with another value, and `skip-reconcile` keeps the hub’s Argo CD from deploying it.",
        "remedy": "Add the label, and the annotations that the finding names, to the template of the ApplicationSet."
      },
      {
        "code": "AFC-119",
        "severity": "warning",
        "title": "No pull label, so the hub deploys it to `<destination>`",
        "meaning": "The same without `skip-reconcile`: the hub’s Argo CD deploys the Application itself, mostly to the hub.",
        "remedy": "Add label and annotations to the template; or remove the annotations if the hub is meant to deploy it."
      },
      {
        "code": "AFC-129",
        "severity": "error",
        "title": "The `<kind>` cannot be read",
        "meaning": "The Application, its ManifestWork, its AppProject or the ApplicationSet nests deeper than 200 levels, or could not be processed, so nothing is written or deleted for it; what runs stays.",
        "remedy": "Remove the deep nesting, mostly in `spec.source.helm.valuesObject`; where there is none, see the log of the backend."
      }
    ]
  },
  {
    "title": "ManifestWorks that no longer deliver",
    "findings": [
      {
        "code": "AFC-121",
        "severity": "warning",
        "title": "No longer pull-model; what runs on `<clusters>` stays",
        "meaning": "The pull label is gone, or is not true. The ManifestWork stays with all that runs, and is frozen after a minute.",
        "remedy": "Restore the label, or release the works."
      },
      {
        "code": "AFC-122",
        "severity": "warning",
        "title": "Frozen ManifestWork on `<clusters>` stays",
        "meaning": "Another controller set the work to `ReadOnly`, and it delivers no Application any more. It is not deleted.",
        "remedy": "Release the works."
      },
      {
        "code": "AFC-123",
        "severity": "info",
        "title": "The old ManifestWork on `<cluster>` waits to be deleted",
        "meaning": "The Application was created again, or is delivered elsewhere; the new work has to be applied, or synced, first.",
        "remedy": "See what the new ManifestWork and its cluster report."
      },
      {
        "code": "AFC-124",
        "severity": "info",
        "title": "The ManifestWork on `<cluster>` is being released",
        "meaning": "The agent gives up the Application or its finalizers, as a release orders.",
        "remedy": "Connect the cluster; remove finalizers that remain on its Application."
      },
      {
        "code": "AFC-125",
        "severity": "info",
        "title": "The ManifestWork on `<cluster>` is about to be deleted",
        "meaning": "Its Application is gone; the deletion waits some seconds for others of the same cause.",
        "remedy": "Nothing."
      },
      {
        "code": "AFC-126",
        "severity": "error",
        "title": "`<number>` deletions are held",
        "meaning": "All Applications of an ApplicationSet, or most of a hub, vanished, and nobody ordered that. Their works stay.",
        "remedy": "Restore the Placement or generator, or release the works."
      },
      {
        "code": "AFC-127",
        "severity": "info",
        "title": "ManifestWork on `<clusters>` is being deleted",
        "meaning": "The Application is gone, and the agent has not yet removed what the work delivered.",
        "remedy": "Connect the cluster; see which finalizers keep the objects there."
      },
      {
        "code": "AFC-128",
        "severity": "warning",
        "title": "The annotation argocd-fleet/release has no effect",
        "meaning": "Its value is unknown, or there were no works when it was set.",
        "remedy": "Remove it; set it again to release works that exist now."
      }
    ]
  },
  {
    "title": "Other writers",
    "findings": [
      {
        "code": "AFC-130",
        "severity": "warning",
        "title": "A Deployment that looks like RHACM’s is ignored on hub `<hub>`",
        "meaning": "A Deployment `multicluster-integrations` runs outside of RHACM’s namespace. It stops neither propagation nor aggregation, since anyone may have one of that name.",
        "remedy": "If RHACM is installed there, set `argocdFleet.hubs[].rhacmNamespace`; otherwise have it renamed."
      },
      {
        "code": "AFC-131",
        "severity": "warning",
        "title": "Another writer undoes what is written on hub `<hub>`",
        "meaning": "Another writer changes objects back each time, for example the status of Applications. The same content is written more and more rarely, every five minutes in the end, until ten minutes after the last time; new content is written at once.",
        "remedy": "Stop the writer that the finding names: remove `/status` from `spec.ignoreApplicationDifferences` of the ApplicationSet, or the other controller."
      }
    ]
  },
  {
    "title": "The managed cluster",
    "findings": [
      {
        "code": "AFC-201",
        "severity": "error",
        "title": "`<cluster>` does not report",
        "meaning": "The agent does not report: everything shown is the last known state.",
        "remedy": "Check the cluster and its agents."
      },
      {
        "code": "AFC-202",
        "severity": "error",
        "title": "The agent cannot apply the Application",
        "meaning": "The agent failed to apply the manifests.",
        "remedy": "See the conditions of the ManifestWork."
      },
      {
        "code": "AFC-203",
        "severity": "error",
        "title": "No Argo CD on `<cluster>`",
        "meaning": "The cluster has no resource `Application`.",
        "remedy": "Install Argo CD there."
      },
      {
        "code": "AFC-204",
        "severity": "error",
        "title": "Argo CD may not `<verb>` `<resources>` on `<cluster>`",
        "meaning": "Argo CD on the cluster lacks a permission.",
        "remedy": "Apply the ManifestWork of the finding, which permits Argo CD everything in the namespace; or label the namespace with `argocd.argoproj.io/managed-by` where the OpenShift GitOps operator runs. Only a ClusterRoleBinding permits cluster-scoped resources; the one in `deploy/examples` makes Argo CD cluster-admin. Commands are only given for Argo CD’s own account in `propagation.argocdNamespace`, and none for namespaces of Kubernetes and OpenShift."
      },
      {
        "code": "AFC-205",
        "severity": "error",
        "title": "Repository unreachable",
        "meaning": "The cluster does not reach the repository.",
        "remedy": "Check address, DNS, proxy, firewall and certificate authority."
      },
      {
        "code": "AFC-206",
        "severity": "error",
        "title": "Repository refuses access",
        "meaning": "The repository asks for credentials.",
        "remedy": "Create a repository Secret for the cluster’s Argo CD."
      },
      {
        "code": "AFC-207",
        "severity": "error",
        "title": "Unknown revision or path",
        "meaning": "There is no such branch, tag, commit, chart version or path.",
        "remedy": "Push it, or correct `targetRevision` and `path`."
      },
      {
        "code": "AFC-208",
        "severity": "error",
        "title": "An image cannot be pulled",
        "meaning": "A container is in `ImagePullBackOff`.",
        "remedy": "Check name, tag and pull secrets of the image."
      },
      {
        "code": "AFC-209",
        "severity": "error",
        "title": "A container keeps crashing",
        "meaning": "A container is in `CrashLoopBackOff`.",
        "remedy": "Read `kubectl logs --previous`."
      },
      {
        "code": "AFC-210",
        "severity": "error",
        "title": "`<kind>` is degraded",
        "meaning": "At least one resource is degraded, and none of the findings above applies.",
        "remedy": "See the resources that are not healthy; or have Argo CD report the health of single resources, where it does not."
      },
      {
        "code": "AFC-211",
        "severity": "error",
        "title": "The last sync failed",
        "meaning": "The last sync failed for another reason.",
        "remedy": "The evidence names it."
      },
      {
        "code": "AFC-212",
        "severity": "error",
        "title": "Argo CD cannot compare with Git",
        "meaning": "Argo CD could not render the manifests or compare them with the cluster.",
        "remedy": "The evidence names the reason; often it is a template or a value."
      },
      {
        "code": "AFC-213",
        "severity": "error",
        "title": "Argo CD rejects the Application",
        "meaning": "Argo CD does not accept the project, source or destination.",
        "remedy": "Check the AppProject on the cluster."
      },
      {
        "code": "AFC-214",
        "severity": "warning",
        "title": "No sync is running or planned",
        "meaning": "The cluster differs from Git, and no sync is running or planned.",
        "remedy": "Set `syncPolicy.automated`, or start a sync by the Application on the hub; the command is shown."
      },
      {
        "code": "AFC-215",
        "severity": "error",
        "title": "Resources are missing",
        "meaning": "Resources of the Application do not exist.",
        "remedy": "See the resources that are missing."
      },
      {
        "code": "AFC-216",
        "severity": "info",
        "title": "`<kind>` is paused on purpose",
        "meaning": "A resource is paused on purpose.",
        "remedy": "Promote it, or change it in Git."
      },
      {
        "code": "AFC-217",
        "severity": "warning",
        "title": "No status from Argo CD yet",
        "meaning": "The Application is on the cluster, but Argo CD has not given it a status.",
        "remedy": "Check the application controller on the cluster and the namespaces that it watches."
      },
      {
        "code": "AFC-218",
        "severity": "warning",
        "title": "Error and resource details unavailable",
        "meaning": "The agent could not evaluate the condition rule, or the expression of its message.",
        "remedy": "Report it as a bug; health and sync are still reported."
      },
      {
        "code": "AFC-219",
        "severity": "error",
        "title": "The Application was removed from `<cluster>`",
        "meaning": "The agent applied the Application, and something on the cluster removed it.",
        "remedy": "The agent applies it again within minutes; otherwise find out what removes it."
      },
      {
        "code": "AFC-220",
        "severity": "info",
        "title": "`<cluster>` has not compared the current spec yet",
        "meaning": "The Application was changed on the hub, and the cluster has not reported a comparison with the new spec yet; the hub shows `OutOfSync`.",
        "remedy": "Wait some seconds; otherwise check the ManifestWork, the cluster and its Argo CD."
      },
      {
        "code": "AFC-221",
        "severity": "error",
        "title": "Argo CD still retries another revision",
        "meaning": "Argo CD retries an operation for a revision that is no longer the wanted one: the error shown is of the former.",
        "remedy": "Wait for the last retry, or terminate the operation in the cluster’s Argo CD. `syncPolicy.retry.refresh: true` has each retry take the latest revision (Argo CD 3.2)."
      },
      {
        "code": "AFC-222",
        "severity": "warning",
        "title": "`<cluster>` reports names that Kubernetes does not allow",
        "meaning": "A resource that the cluster reports has a name that no object has, so it is left out.",
        "remedy": "Find out who writes the status of the ManifestWork or of the Application on the cluster."
      },
      {
        "code": "AFC-223",
        "severity": "error",
        "title": "A resource has no namespace",
        "meaning": "A manifest names no namespace, and the Application has no `spec.destination.namespace`.",
        "remedy": "Set `spec.destination.namespace`, or the namespace of the manifest; or `argocdFleet.propagation.defaultDestinationNamespace`."
      },
      {
        "code": "AFC-224",
        "severity": "warning",
        "title": "`<cluster>` is also on hub `<hub>`",
        "meaning": "Clusters of two configured hubs report one ID (the claim `id.k8s.io`): both hubs deliver to it.",
        "remedy": "Have the former hub deliver nothing to it any more; if one cluster is a copy of the other, give it an ID of its own."
      },
      {
        "code": "AFC-225",
        "severity": "error",
        "title": "Hub `<hub>` delivers `<application>` to `<cluster>` too",
        "meaning": "Works of two hubs deliver an Application of one namespace and name to the same cluster: they overwrite each other.",
        "remedy": "Let one hub deliver it; before you remove the other’s work, have it leave the Application on the cluster."
      },
      {
        "code": "AFC-226",
        "severity": "warning",
        "title": "A sync window keeps the sync back",
        "meaning": "A sync was started, and a sync window of the AppProject on the cluster does not allow it now.",
        "remedy": "Wait for the window, or change `spec.syncWindows` of the AppProject."
      },
      {
        "code": "AFC-227",
        "severity": "warning",
        "title": "Only pruning is left, and it is off",
        "meaning": "The wanted revision is synced; what still differs, an automated sync without `prune` does not change.",
        "remedy": "Sync with pruning once, or set `syncPolicy.automated.prune`."
      },
      {
        "code": "AFC-228",
        "severity": "warning",
        "title": "Out of sync again, and self-heal is off",
        "meaning": "The wanted revision is synced, and the cluster differs from it; an automated sync without `selfHeal` does not repeat a revision.",
        "remedy": "Sync once, or set `syncPolicy.automated.selfHeal`."
      },
      {
        "code": "AFC-229",
        "severity": "warning",
        "title": "A deletion waits to be confirmed",
        "meaning": "The sync deletes a resource with `Prune=confirm`, which a person has to confirm.",
        "remedy": "Annotate the Application on the cluster with `argocd.argoproj.io/deletion-approved`, or put the resource back into the source."
      },
      {
        "code": "AFC-230",
        "severity": "error",
        "title": "The source hydrator failed",
        "meaning": "Argo CD’s source hydrator could not render the dry source to the branch that is synced. The cluster keeps what was rendered before.",
        "remedy": "Correct the dry source; or give Argo CD credentials that may push (a Secret with the label `argocd.argoproj.io/secret-type: repository-write`)."
      },
      {
        "code": "AFC-231",
        "severity": "warning",
        "title": "Being deleted on `<cluster>`",
        "meaning": "The Application is being deleted on its cluster although the hub wants it, and exists until its finalizers are gone. Argo CD does not sync it any more.",
        "remedy": "See which of its resources still exist, and which finalizers those have. Once it is gone, the agent applies it again."
      },
      {
        "code": "AFC-232",
        "severity": "error",
        "title": "Argo CD cannot delete what it deployed",
        "meaning": "Argo CD fails to delete the resources of an Application that is being deleted.",
        "remedy": "The evidence names the reason: mostly a missing permission, a destination that no longer exists, or an AppProject that was deleted first."
      },
      {
        "code": "AFC-233",
        "severity": "error",
        "title": "Argo CD’s repo server on `<cluster>` does not answer",
        "meaning": "The application controller gets no answer from the repo server: it is down, too slow, or the two do not agree on TLS. No Application of the cluster is compared with Git.",
        "remedy": "Check that the repo server runs with enough memory and CPU; raise `controller.repo.server.timeout.seconds`."
      },
      {
        "code": "AFC-234",
        "severity": "error",
        "title": "Argo CD cannot read `<cluster>`",
        "meaning": "Argo CD cannot read the objects that exist on the cluster, so it compares no Application there.",
        "remedy": "The evidence names the reason: the API server, or a permission."
      },
      {
        "code": "AFC-235",
        "severity": "error",
        "title": "Objects of kind `<kind>` cannot be read on `<cluster>`",
        "meaning": "The conversion webhook of a CustomResourceDefinition does not answer. Argo CD reads all kinds of the cluster, and one that fails keeps it from comparing any Application there.",
        "remedy": "Get the webhook to run again; or remove the CustomResourceDefinition of an operator that is gone."
      },
      {
        "code": "AFC-236",
        "severity": "error",
        "title": "An API of `<cluster>` does not answer",
        "meaning": "An aggregated API (APIService) has no server that answers, which keeps Argo CD from comparing any Application there.",
        "remedy": "Get its Pods to run again, or delete the APIService if it is not needed."
      },
      {
        "code": "AFC-237",
        "severity": "error",
        "title": "The SSH host key is not the known one",
        "meaning": "The Git server shows another SSH host key than the known one, or one that is not known.",
        "remedy": "Check the key with the server’s owner, then put it into the ConfigMap `argocd-ssh-known-hosts-cm` of the cluster’s Argo CD."
      },
      {
        "code": "AFC-238",
        "severity": "error",
        "title": "The repository speaks HTTP, not HTTPS",
        "meaning": "The server at the repository’s address answers in plain HTTP.",
        "remedy": "Correct the address or the port; for a registry without TLS, set `insecureOCIForceHttp` in the repository Secret."
      },
      {
        "code": "AFC-239",
        "severity": "error",
        "title": "`<number>` clusters of Argo CD have the same name",
        "meaning": "Several cluster Secrets of one Argo CD have the name of the destination, so it refuses it.",
        "remedy": "Give one another name, or delete the one that is not needed."
      },
      {
        "code": "AFC-240",
        "severity": "error",
        "title": "A manifest is too large for client-side apply",
        "meaning": "Client-side apply stores the whole manifest in an annotation, which may have 262,144 bytes.",
        "remedy": "Add `ServerSideApply=true` to `syncPolicy.syncOptions` of the template, or to the object."
      },
      {
        "code": "AFC-241",
        "severity": "error",
        "title": "The value of a label is too long",
        "meaning": "A label has more than 63 characters, mostly the name of the Application, by which Argo CD tracks what it deploys.",
        "remedy": "Shorten it, or have Argo CD track by annotation."
      },
      {
        "code": "AFC-242",
        "severity": "error",
        "title": "The AppProject does not permit `<object>`",
        "meaning": "The AppProject on the cluster does not permit a kind or a namespace that the source contains.",
        "remedy": "Take it out of the source, or permit it in the AppProject on the cluster."
      },
      {
        "code": "AFC-243",
        "severity": "error",
        "title": "`<cluster>` does not know `<kind>`",
        "meaning": "The cluster has no such kind, or not in that version: its CustomResourceDefinition is missing.",
        "remedy": "Install it first, or in an earlier sync wave with `SkipDryRunOnMissingResource=true`; correct `apiVersion`."
      },
      {
        "code": "AFC-244",
        "severity": "error",
        "title": "A policy of `<cluster>` denies the request",
        "meaning": "An admission webhook or a ValidatingAdmissionPolicy denies an object.",
        "remedy": "The evidence is its reason. Correct the manifest, or ask its owner for an exception."
      },
      {
        "code": "AFC-245",
        "severity": "error",
        "title": "An admission webhook of `<cluster>` does not answer",
        "meaning": "The API server has to ask an admission webhook that does not answer.",
        "remedy": "Get its Pods to run again; install it in an earlier sync wave."
      },
      {
        "code": "AFC-246",
        "severity": "error",
        "title": "A field cannot be changed",
        "meaning": "The source changes a field that Kubernetes does not let be changed.",
        "remedy": "Take the change back, rename the object, or have it created anew (`Replace=true,Force=true`)."
      },
      {
        "code": "AFC-247",
        "severity": "error",
        "title": "`<cluster>` has no namespace `<namespace>`",
        "meaning": "An object belongs into a namespace that does not exist.",
        "remedy": "Add `CreateNamespace=true` to `syncPolicy.syncOptions` of the template, or create it."
      },
      {
        "code": "AFC-248",
        "severity": "error",
        "title": "The quota `<quota>` is exhausted",
        "meaning": "A ResourceQuota does not let an object be created or grow.",
        "remedy": "Request less, free something in the namespace, or have the quota raised."
      },
      {
        "code": "AFC-249",
        "severity": "error",
        "title": "Another manager owns a field",
        "meaning": "With server-side apply, another manager owns a field that the source sets too.",
        "remedy": "Let one of the two manage it: take it out of Git and out of the comparison, or have the other give it up."
      },
      {
        "code": "AFC-250",
        "severity": "warning",
        "title": "Two Applications deploy the same object",
        "meaning": "Another Application on the cluster deploys an object of this one too.",
        "remedy": "Have one of the two deploy it; give each of one ApplicationSet a namespace or names of its own."
      },
      {
        "code": "AFC-251",
        "severity": "error",
        "title": "No service account to sync with",
        "meaning": "Argo CD syncs with a service account that the AppProject names for each destination, and it names none for this one.",
        "remedy": "Add the destination to `spec.destinationServiceAccounts` of the AppProject on the cluster."
      },
      {
        "code": "AFC-252",
        "severity": "error",
        "title": "Argo CD reports an error of its own",
        "meaning": "Argo CD could not process the Application, for a reason that is none of the Application.",
        "remedy": "The evidence is all that it reports; the log of its application controller has more."
      },
      {
        "code": "AFC-253",
        "severity": "error",
        "title": "A digest is not a version of a chart",
        "meaning": "The Application names a Helm chart by a digest, and Argo CD takes `targetRevision` for a version.",
        "remedy": "Name the version, or use a source with `oci://` and `path` (Argo CD 3.1)."
      },
      {
        "code": "AFC-254",
        "severity": "error",
        "title": "Argo CD on `<cluster>` would delete everything",
        "meaning": "All Applications of the cluster became OutOfSync within a minute, and a sync with pruning would delete every resource of each: mostly Argo CD lost its cache, or renders nothing.",
        "remedy": "Sync nothing before it is clear; compare anew, or restart Argo CD’s application controller and repo server there."
      },
      {
        "code": "AFC-255",
        "severity": "error",
        "title": "The API server of `<cluster>` is not healthy",
        "meaning": "The cluster’s agent lives (`Available=False`, not `Unknown`) and reports that the API server is not healthy: everything shown is the last known state.",
        "remedy": "Check the control plane of the cluster (`/livez?verbose`)."
      },
      {
        "code": "AFC-256",
        "severity": "warning",
        "title": "A sync that was requested never started",
        "meaning": "The hub sent a sync that Argo CD on the cluster did not start within ten minutes, or before the spec changed; it is not sent any more.",
        "remedy": "Request it again once Argo CD’s application controller runs there and watches the Application’s namespace."
      },
      {
        "code": "AFC-257",
        "severity": "warning",
        "title": "A newer revision waits for a sync in waves",
        "meaning": "A sync in waves waits for a resource, and another revision is wanted by now; Argo CD syncs that only after the operation has ended.",
        "remedy": "See why the resource is not done; terminate the operation if the wanted revision would mend it."
      },
      {
        "code": "AFC-258",
        "severity": "warning",
        "title": "No step of the rolling sync selects it",
        "meaning": "With RollingSync, an Application that no step selects by its labels is never synced, automatically or by the controller.",
        "remedy": "Give the template the label that the steps match, or add a step; sync it by hand."
      }
    ]
  },
  {
    "title": "The ApplicationSet",
    "findings": [
      {
        "code": "AFC-301",
        "severity": "error",
        "title": "The ApplicationSet cannot generate its Applications",
        "meaning": "The ApplicationSet controller reports an error.",
        "remedy": "The evidence names the reason."
      },
      {
        "code": "AFC-302",
        "severity": "error",
        "title": "No Placement `<placement>`",
        "meaning": "The generator’s Placement does not exist.",
        "remedy": "Create it, or correct the label selector."
      },
      {
        "code": "AFC-303",
        "severity": "warning",
        "title": "No cluster selected",
        "meaning": "The Placement selects no cluster.",
        "remedy": "Check the bindings of cluster sets and the Placement’s labels."
      },
      {
        "code": "AFC-304",
        "severity": "warning",
        "title": "No owner recorded",
        "meaning": "The portal created the ApplicationSet, and no owner is recorded on it: only who may change every ApplicationSet can change it through the portal.",
        "remedy": "Record the owner in the annotation `argocd-fleet/component-owner`."
      },
      {
        "code": "AFC-305",
        "severity": "info",
        "title": "The portal may no longer change this ApplicationSet",
        "meaning": "The portal created the ApplicationSet, and `argocdFleet.hubs[].writes` does not allow it any more. It keeps running.",
        "remedy": "Extend the configuration that the evidence names, or change the ApplicationSet on the hub."
      },
      {
        "code": "AFC-306",
        "severity": "warning",
        "title": "The namespace `<namespace>` may not define components",
        "meaning": "The annotations of an ApplicationSet define a component of the catalog, and the configuration does not permit that in its namespace. Where no namespaces are configured, a component that the catalog already has of it stays (AFC-308).",
        "remedy": "Add the namespace to `argocdFleet.components.namespaces` if everyone who may write ApplicationSets there may choose the names and owners of components."
      },
      {
        "code": "AFC-307",
        "severity": "warning",
        "title": "The annotation argocd-fleet/component is not a valid name",
        "meaning": "The catalog has no component of the ApplicationSet.",
        "remedy": "Use at most 63 letters, digits, and - \\_ . between them."
      },
      {
        "code": "AFC-308",
        "severity": "warning",
        "title": "The namespace `<namespace>` may not define new components",
        "meaning": "The annotations of an ApplicationSet define a component of the catalog, and the configuration does not permit that in its namespace. The catalog already has the component, and keeps it as long as no namespaces are configured.",
        "remedy": "Add the namespace to `argocdFleet.components.namespaces` if everyone who may write ApplicationSets there may choose the names and owners of components."
      },
      {
        "code": "AFC-309",
        "severity": "warning",
        "title": "Deploys to the hub, not to the clusters that it selects",
        "meaning": "The generator makes an Application for each cluster of a Placement, and the template’s destination is always the hub’s own cluster, without the pull label.",
        "remedy": "Add the label and the annotations of the pull model to the template, or, for the push model, set its destination to `{{server}}`."
      },
      {
        "code": "AFC-310",
        "severity": "error",
        "title": "Placeholders are left in the Applications",
        "meaning": "The ApplicationSet’s controller did not fill in a placeholder of the template.",
        "remedy": "With `goTemplate: true`, write `{{.name}}`, otherwise `{{name}}`; use parameters that the generator gives."
      },
      {
        "code": "AFC-311",
        "severity": "info",
        "title": "Applications stay where the Placement selects no more",
        "meaning": "`syncPolicy.applicationsSync` is `create-only` or `create-update`, and there are more Applications than clusters are selected.",
        "remedy": "Delete those that are not needed, or set `applicationsSync: sync`."
      },
      {
        "code": "AFC-312",
        "severity": "warning",
        "title": "The generator finds no placement decision",
        "meaning": "There is no PlacementDecision, and the controller changes nothing then: Applications that exist stay.",
        "remedy": "Have the Placement select a cluster, or correct the generator."
      },
      {
        "code": "AFC-313",
        "severity": "info",
        "title": "Deleted step by step, the last step first",
        "meaning": "The ApplicationSet is being deleted with `deletionOrder: Reverse`: the Applications of a step stay until those of all later steps are gone.",
        "remedy": "Wait, or see what keeps the Applications of the last step."
      },
      {
        "code": "AFC-314",
        "severity": "warning",
        "title": "Argo CD may stop at the scores of the Placement",
        "meaning": "Applications are missing, and the Placement’s decisions have scores: Argo CD’s ApplicationSet controller before 3.3.9 and before 3.4.0 fails at those.",
        "remedy": "Upgrade the hub’s Argo CD, or take prioritizers with scores out of the Placement."
      }
    ]
  },
  {
    "title": "The hub and the controllers",
    "findings": [
      {
        "code": "AFC-400",
        "severity": "warning",
        "title": "Objects of hub `<hub>` cannot be read",
        "meaning": "Objects that no finding of their own names, such as Placements or Applications of no ApplicationSet, are nested too deeply, or could not be processed. Nothing is written or deleted for them, and they authorise nothing.",
        "remedy": "The backend’s log names each; have it changed by its owner."
      },
      {
        "code": "AFC-401",
        "severity": "error",
        "title": "`<kind>` is not served by hub `<hub>`",
        "meaning": "The hub lacks a custom resource definition.",
        "remedy": "Install what the finding names; only the controllers that need it do not run."
      },
      {
        "code": "AFC-402",
        "severity": "error",
        "title": "`<kind>` may not be read on hub `<hub>`",
        "meaning": "The backend’s user may not list and watch a resource.",
        "remedy": "Apply `deploy/rbac/read.yaml`."
      },
      {
        "code": "AFC-403",
        "severity": "warning",
        "title": "No hub is configured",
        "meaning": "`argocdFleet.hubs` is empty.",
        "remedy": "Add a hub."
      },
      {
        "code": "AFC-404",
        "severity": "info",
        "title": "Hub `<hub>` has an older Open Cluster Management",
        "meaning": "The hub’s ManifestWork lacks fields that propagation can use. Without `conditionRules` (OCM 1.0) only the first errors are reported, without `feedbackScrapeType` (OCM 1.2) status changes take some seconds.",
        "remedy": "Upgrade Open Cluster Management, or turn `conditionRules` or `watch` off in the configuration."
      },
      {
        "code": "AFC-405",
        "severity": "warning",
        "title": "RHACM propagates on hub `<hub>`",
        "meaning": "RHACM’s own controller writes the ManifestWorks; propagation only observes.",
        "remedy": "Switch RHACM’s basic pull model off, or leave delivery to it."
      },
      {
        "code": "AFC-406",
        "severity": "error",
        "title": "Another writer overwrites ManifestWorks on hub `<hub>`",
        "meaning": "Another writer overwrites what propagation writes. Propagation only observes the works of that cluster until ten minutes after the last overwrite; where works of three clusters, and of 5 % of all, are overwritten, the whole hub.",
        "remedy": "Stop the other writer, or leave delivery to it."
      },
      {
        "code": "AFC-407",
        "severity": "info",
        "title": "Unknown whether RHACM propagates on hub `<hub>`",
        "meaning": "The backend’s user may not read the Deployment that would show it.",
        "remedy": "Apply `deploy/rbac/read.yaml`."
      },
      {
        "code": "AFC-408",
        "severity": "warning",
        "title": "RHACM writes the reports on hub `<hub>`",
        "meaning": "RHACM writes the reports of the hub, and aggregation only observes.",
        "remedy": "Set aggregation to `observe`, or switch RHACM’s pull model off."
      },
      {
        "code": "AFC-409",
        "severity": "warning",
        "title": "The certificate of hub `<hub>` is not verified",
        "meaning": "`insecure-skip-tls-verify` in the kubeconfig, or `skipTLSVerify`, lets anyone on the network path impersonate the hub and read the backend’s token.",
        "remedy": "Remove the setting, and name the hub’s CA."
      },
      {
        "code": "AFC-411",
        "severity": "error",
        "title": "The hub does not permit a write for `<object>`",
        "meaning": "The backend’s user lacks a permission.",
        "remedy": "Apply the controller’s file in `deploy/rbac/`, or set it to `observe`."
      },
      {
        "code": "AFC-412",
        "severity": "error",
        "title": "The hub rejects a write for `<object>`",
        "meaning": "The API server finds the write invalid.",
        "remedy": "The evidence names the reason; the controller retries when something changes."
      },
      {
        "code": "AFC-413",
        "severity": "warning",
        "title": "`<object>` could not be reconciled",
        "meaning": "A request failed.",
        "remedy": "Nothing; the controller retries."
      },
      {
        "code": "AFC-414",
        "severity": "error",
        "title": "Hub `<hub>` has no namespace `<namespace>`",
        "meaning": "The namespace to write into does not exist; usually it is that of a managed cluster.",
        "remedy": "Accept the cluster, or recreate the namespace."
      },
      {
        "code": "AFC-415",
        "severity": "warning",
        "title": "`<object>` could not be recorded",
        "meaning": "The plugin’s database does not store an Application’s state.",
        "remedy": "Check the database; the controller records what is missing by itself."
      },
      {
        "code": "AFC-416",
        "severity": "error",
        "title": "New deliveries wait on hub `<hub>`",
        "meaning": "Placements, ManagedClusterSets or ManagedClusterSetBindings cannot be read: which decisions count is not known. Existing works are kept up to date.",
        "remedy": "Give the backend’s user the rule that the finding shows, or install the CRD."
      },
      {
        "code": "AFC-420",
        "severity": "info",
        "title": "`<number>` writes withheld",
        "meaning": "The evidence lists what `observe` mode would write.",
        "remedy": "Set `mode: manage` to have it written."
      },
      {
        "code": "AFC-421",
        "severity": "info",
        "title": "`<number>` more findings",
        "meaning": "A controller has more findings than it shows.",
        "remedy": "See them with their ApplicationSets."
      },
      {
        "code": "AFC-430",
        "severity": "warning",
        "title": "The resource source `<source>` failed",
        "meaning": "A module’s source of details does not answer.",
        "remedy": "The evidence names the reason; the last answer is shown."
      },
      {
        "code": "AFC-431",
        "severity": "error",
        "title": "Search of hub `<hub>` does not accept the token",
        "meaning": "RHACM’s Search answers 401 or 403: the token is missing, has expired, or is not of this hub.",
        "remedy": "Provide a new token; a new one in the file is used without a restart."
      },
      {
        "code": "AFC-432",
        "severity": "error",
        "title": "The certificate of Search of hub `<hub>` is not trusted",
        "meaning": "The backend sends no requests to it.",
        "remedy": "Set `caFile` or `caData`, and an address that is in the certificate."
      },
      {
        "code": "AFC-433",
        "severity": "warning",
        "title": "Search of hub `<hub>` does not answer",
        "meaning": "Search cannot be reached, takes too long, or answers with an error.",
        "remedy": "Check its pods; use smaller batches or a longer timeout."
      },
      {
        "code": "AFC-434",
        "severity": "warning",
        "title": "Search of hub `<hub>` failed for a part of the fleet",
        "meaning": "Search has no result for some clusters, or no details of what is deployed there; its last answer is shown.",
        "remedy": "The evidence is the error of Search; use smaller batches."
      },
      {
        "code": "AFC-435",
        "severity": "warning",
        "title": "Search of hub `<hub>` returns items that cannot be read",
        "meaning": "Each such item was skipped and counted; the evidence is the first.",
        "remedy": "Report it as a bug if RHACM writes its index in that form."
      },
      {
        "code": "AFC-436",
        "severity": "warning",
        "title": "Search of hub `<hub>` has more items than the limit",
        "meaning": "A single cluster reaches the limit; its lists of resources are left out, because they would have gaps.",
        "remedy": "Raise `limit`."
      },
      {
        "code": "AFC-437",
        "severity": "info",
        "title": "Search of hub `<hub>` returns no Applications",
        "meaning": "Search leaves out, without an error, what the service account may not see.",
        "remedy": "Bind the ClusterRole of the installation guide; check the collectors."
      },
      {
        "code": "AFC-438",
        "severity": "warning",
        "title": "The resource source `<source>` returns details that cannot be read",
        "meaning": "Details in a module’s answer do not name their Application; each was skipped.",
        "remedy": "Correct the module; the evidence is the first of them."
      },
      {
        "code": "AFC-441",
        "severity": "warning",
        "title": "Owner `<owner>` is not in the catalog",
        "meaning": "ApplicationSets have an owner that the portal’s catalog does not have.",
        "remedy": "Set `catalog.providers.argocdFleet.defaultOwner` to a group or user of the catalog, or add this one."
      },
      {
        "code": "AFC-442",
        "severity": "info",
        "title": "`<number>` ApplicationSets have readers by links only",
        "meaning": "Entities of the catalog link to ApplicationSets that record no owner; the owners of these entities may not read them where the permission policy lets owners read.",
        "remedy": "Record the owner on each ApplicationSet, or set `argocdFleet.permissions.readByLink`."
      },
      {
        "code": "AFC-444",
        "severity": "warning",
        "title": "Component `<component>` is not that of `<ApplicationSet>`",
        "meaning": "The annotations of two ApplicationSets with different owners define the same component. It is that of the older one; the other ApplicationSet shows the finding.",
        "remedy": "Give the component another name, or both ApplicationSets the same owner."
      },
      {
        "code": "AFC-445",
        "severity": "warning",
        "title": "Component `<component>` is not made from `<ApplicationSet>`",
        "meaning": "The annotations of an ApplicationSet define a component that the catalog has from a file or another provider. It stays as it is.",
        "remedy": "Name the ApplicationSet in its annotation `argocd-fleet/applicationset`, or give the component another name."
      }
    ]
  },
  {
    "title": "The import of clusters",
    "findings": [
      {
        "code": "AFC-501",
        "severity": "error",
        "title": "The GitOpsCluster is invalid",
        "meaning": "It does not name a Placement of its own namespace and an Argo CD namespace.",
        "remedy": "Correct its spec."
      },
      {
        "code": "AFC-502",
        "severity": "error",
        "title": "No Placement `<placement>`",
        "meaning": "The GitOpsCluster’s Placement does not exist. No cluster is imported or removed.",
        "remedy": "Create it, or correct `spec.placementRef`."
      },
      {
        "code": "AFC-503",
        "severity": "warning",
        "title": "No managed cluster `<cluster>`",
        "meaning": "A placement decision names a cluster that the hub does not manage, or no longer manages.",
        "remedy": "Usually this resolves itself."
      },
      {
        "code": "AFC-504",
        "severity": "warning",
        "title": "`<cluster>` has a Secret of another owner",
        "meaning": "Argo CD knows the cluster by a Secret that no GitOpsCluster created; it stays unchanged.",
        "remedy": "Delete it to have the cluster imported instead."
      },
      {
        "code": "AFC-505",
        "severity": "error",
        "title": "No token for `<cluster>`",
        "meaning": "The ManagedServiceAccount has no token on the hub, or the cluster no address. Argo CD’s Secret of the cluster stays unchanged.",
        "remedy": "Check the add-on managed-serviceaccount, and the backend’s permission to read that Secret."
      },
      {
        "code": "AFC-506",
        "severity": "warning",
        "title": "`<cluster>` is still used",
        "meaning": "The cluster left its Placement, and Applications still target it: its Secret stays.",
        "remedy": "Remove or retarget the Applications."
      },
      {
        "code": "AFC-507",
        "severity": "info",
        "title": "`<number>` cluster Secrets without a GitOpsCluster",
        "meaning": "Secrets that carry RHACM’s label and that no GitOpsCluster has selected since the backend started; the plugin did not create them.",
        "remedy": "Delete those that are not needed."
      },
      {
        "code": "AFC-508",
        "severity": "warning",
        "title": "`<text>` determines the Secret of `<cluster>`",
        "meaning": "Two GitOpsClusters import a cluster into one Argo CD with different service accounts, or one of them with argocd-agent; that of Argo CD’s own namespace decides first.",
        "remedy": "Give both the same `managedServiceAccountRef` and `gitopsAddon.argoCDAgent`."
      },
      {
        "code": "AFC-509",
        "severity": "warning",
        "title": "The `<kind>` has another owner",
        "meaning": "The generator’s ConfigMap, or our Role or RoleBinding for it, has unexpected contents, and the plugin did not create it.",
        "remedy": "Delete it to have it created again."
      },
      {
        "code": "AFC-510",
        "severity": "error",
        "title": "`<resources>` of `<namespace>` cannot be read",
        "meaning": "The backend’s user may not read a resource in an Argo CD namespace. What depends on it is not written or removed, for this GitOpsCluster only.",
        "remedy": "Apply `deploy/rbac/argocd-namespace` with `--namespace`."
      },
      {
        "code": "AFC-511",
        "severity": "info",
        "title": "No GitOpsClusters on hub `<hub>`",
        "meaning": "The hub has no resource GitOpsCluster; there is nothing to import.",
        "remedy": "Nothing, or set `argocdFleet.controllers.clusterImport.mode: off`."
      },
      {
        "code": "AFC-512",
        "severity": "error",
        "title": "Illegal name of the token of `<cluster>`",
        "meaning": "The ManagedServiceAccount names a Secret that cannot exist, so its token is not read.",
        "remedy": "Find out who changed `status.tokenSecretRef`: the add-on of the cluster writes it."
      },
      {
        "code": "AFC-513",
        "severity": "error",
        "title": "`<namespace>` may not import clusters into `<namespace>`",
        "meaning": "A GitOpsCluster names the Argo CD of another namespace than its own, and the configuration does not permit that. Secrets that exist stay.",
        "remedy": "Permit it in `argocdFleet.clusterImport.argocdNamespaces`."
      },
      {
        "code": "AFC-514",
        "severity": "error",
        "title": "The address that `<cluster>` reports is refused",
        "meaning": "For the push model, the cluster reports an address that is not https, or that is another cluster’s, the hub’s (see `argocdFleet.hubs[].addresses`), or one of its machine or services. Its Secret stays unchanged.",
        "remedy": "Correct the address in the klusterlet or the ManagedCluster; otherwise the cluster may be compromised."
      },
      {
        "code": "AFC-515",
        "severity": "error",
        "title": "`<number>` Secrets of the cluster `<cluster>` in `<namespace>`",
        "meaning": "Several cluster Secrets of one Argo CD namespace have the name of one cluster; Argo CD refuses every destination of that name.",
        "remedy": "Delete the one that is not needed; one that was imported before argocd-agent registered the cluster is removed once only the agent’s Applications have it as destination."
      },
      {
        "code": "AFC-516",
        "severity": "error",
        "title": "`<namespace>` may not get tokens of `<account>`",
        "meaning": "A GitOpsCluster names a ManagedServiceAccount that the configuration does not permit for its Argo CD. Nothing is imported for it; Secrets that exist stay.",
        "remedy": "Add it to `argocdFleet.clusterImport.managedServiceAccounts`, or correct the spec."
      }
    ]
  }
];
