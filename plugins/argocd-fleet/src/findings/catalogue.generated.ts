/* Generated from docs/findings/ by `npm run generate`. Texts in backticks are code. */

/** What a code means. */
export interface DocumentedFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** With `<word>` for each name that differs from finding to finding. */
  readonly title: string;
  readonly cause: string;
  /** How to see that this is the cause. */
  readonly check: string;
  readonly fix: string;
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
        "cause": "The Application has the pull label and no target annotation.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.metadata.annotations}'` on the hub shows which annotations the template gives.",
        "fix": "Add `apps.open-cluster-management.io/ocm-managed-cluster` to the template."
      },
      {
        "code": "AFC-102",
        "severity": "error",
        "title": "No managed cluster `<cluster>`",
        "cause": "The annotation names a cluster that the hub does not manage.",
        "check": "`kubectl get managedclusters` on the hub lists the clusters; the name in the annotation has to be one of them, letter by letter.",
        "fix": "Import the cluster or correct the annotation."
      },
      {
        "code": "AFC-103",
        "severity": "error",
        "title": "Illegal name of `<object>`",
        "cause": "Kubernetes does not accept a name.",
        "check": "The evidence is the name, and what Kubernetes has against it. The names of an ApplicationSet come from its template and its generator’s parameters.",
        "fix": "Use lower case letters, digits and hyphens."
      },
      {
        "code": "AFC-104",
        "severity": "error",
        "title": "No placement decision for `<cluster>`",
        "cause": "No Placement in the Application’s namespace selects the cluster.",
        "check": "`kubectl get placementdecisions -n <namespace> -o yaml` on the hub, in the Application’s namespace: the cluster has to be in `status.decisions` of one. `kubectl get managedclustersetbindings -n <namespace>` shows whose clusters its Placements may select.",
        "fix": "Have a Placement of that namespace select it; check the bindings of cluster sets."
      },
      {
        "code": "AFC-105",
        "severity": "error",
        "title": "Too large for a ManifestWork",
        "cause": "The Application is larger than a ManifestWork may be (512,000 bytes).",
        "check": "The size is in the message. Mostly it comes from `spec.source.helm.values`, `valuesObject` or inline patches of Kustomize.",
        "fix": "Move long values into the repository."
      },
      {
        "code": "AFC-106",
        "severity": "error",
        "title": "The name of the ManifestWork is taken",
        "cause": "A ManifestWork of another owner has the name.",
        "check": "The finding names the ManifestWork. `kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub shows what it delivers, and its labels and `managedFields` whose it is.",
        "fix": "Remove it if it is not needed."
      },
      {
        "code": "AFC-107",
        "severity": "warning",
        "title": "The hub’s Argo CD reconciles pulled Applications",
        "cause": "`skip-reconcile` is missing: two Argo CDs write the same Application’s status.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.metadata.annotations}'` on the hub has no `argocd.argoproj.io/skip-reconcile: \"true\"`.",
        "fix": "Add the annotation to the template."
      },
      {
        "code": "AFC-108",
        "severity": "warning",
        "title": "The ManifestWork is read-only",
        "cause": "RHACM was switched off and set the work to `ReadOnly`.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o jsonpath='{.spec.manifestConfigs[*].updateStrategy.type}'` on the hub shows `ReadOnly`. Check that RHACM’s pull model is off before you take works over.",
        "fix": "Set `argocdFleet.propagation.adoptReadOnly: true` to take all such works over."
      },
      {
        "code": "AFC-109",
        "severity": "warning",
        "title": "No ManifestWork yet",
        "cause": "The ManifestWork does not exist yet.",
        "check": "The page of the controllers shows the mode of propagation on this hub, when its last pass was, and its errors.",
        "fix": "Wait some seconds if propagation runs; otherwise check its mode and permissions."
      },
      {
        "code": "AFC-110",
        "severity": "warning",
        "title": "Waits for the deletion of the old ManifestWork",
        "cause": "The ManifestWork that the Application needs is being deleted.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub shows `deletionTimestamp` and the finalizers that are left. The agent removes its own once the objects are gone from the cluster.",
        "fix": "Wait until the agent has completed the deletion; it has to be connected for that."
      },
      {
        "code": "AFC-111",
        "severity": "error",
        "title": "Another Application of the hub has the same target",
        "cause": "Two Applications of the hub would be the same object on a cluster; the one that was there first is delivered.",
        "check": "The finding names the other Application. Both have the same target cluster, namespace on the cluster and name.",
        "fix": "Rename one, or correct the annotation for its namespace on the cluster."
      },
      {
        "code": "AFC-112",
        "severity": "warning",
        "title": "No AppProject `<project>` on the hub",
        "cause": "Propagation is set to deliver AppProjects, and Argo CD’s namespace on the hub has none of this name.",
        "check": "`kubectl get appprojects -n <namespace>` in Argo CD’s namespace on the hub lists those that can be delivered.",
        "fix": "Create it there, or correct `spec.project`."
      },
      {
        "code": "AFC-113",
        "severity": "error",
        "title": "May not use the namespace `<namespace>` of its cluster",
        "cause": "The configuration does not allow Applications of this hub namespace that namespace of managed clusters.",
        "check": "Compare the annotation `apps.open-cluster-management.io/ocm-managed-cluster-app-namespace` with `argocdFleet.propagation.appNamespaces` for the Application’s namespace on the hub.",
        "fix": "Correct the annotation, or allow it with `argocdFleet.propagation.appNamespaces`."
      },
      {
        "code": "AFC-114",
        "severity": "warning",
        "title": "The namespace `<namespace>` is not delivered",
        "cause": "Propagation is set to deliver namespaces, and this one belongs to Kubernetes or OpenShift.",
        "check": "The namespaces of Kubernetes and OpenShift, such as `kube-system` and `openshift-*`, are never delivered; `kubectl get namespace <namespace>` on the cluster shows whether it is there.",
        "fix": "Create it on the cluster, or set `argocdFleet.propagation.argocdNamespace`."
      },
      {
        "code": "AFC-115",
        "severity": "error",
        "title": "The placement decision for `<cluster>` does not count",
        "cause": "The decision lacks its Placement’s label or ownerReference, or the cluster is in no ManagedClusterSet that is bound to the namespace and that the Placement may use. What exists stays and is not updated. Shown for imported clusters too.",
        "check": "`kubectl get placementdecision <name> -n <namespace> -o yaml` on the hub: it needs the label `cluster.open-cluster-management.io/placement` and an ownerReference to that Placement. `kubectl get managedclustersetbindings -n <namespace>` shows the sets whose clusters may be used.",
        "fix": "Have the set bound, or let a Placement select the cluster; remove the decision only after that."
      },
      {
        "code": "AFC-116",
        "severity": "warning",
        "title": "Not known whether `<cluster>` may be used",
        "cause": "A decision names the cluster, but Placements, ManagedClusterSets or their bindings are not listed, so nothing is written for it; what exists stays.",
        "check": "The findings of the hub name the resource that cannot be listed. `kubectl auth can-i list placements.cluster.open-cluster-management.io --all-namespaces`, as the backend’s user, answers for one of them.",
        "fix": "Wait some seconds at a start; otherwise let the backend’s user read them (`deploy/rbac/read.yaml`)."
      },
      {
        "code": "AFC-117",
        "severity": "info",
        "title": "Keeps the default namespace `<namespace>`",
        "cause": "The Application has no `spec.destination.namespace`, and its ManifestWork has the namespace of the Application on the cluster, until the spec changes.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub: the Application in it has a namespace in `spec.destination` that the Application on the hub does not have.",
        "fix": "To keep it, set `spec.destination.namespace` in the template of the ApplicationSet."
      },
      {
        "code": "AFC-118",
        "severity": "error",
        "title": "No pull label, so nothing deploys it",
        "cause": "The Application has annotations of the pull model but no label `apps.open-cluster-management.io/pull-to-ocm-managed-cluster: \"true\"`, or one with another value, and `skip-reconcile` keeps the hub’s Argo CD from deploying it.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> -o yaml` on the hub shows labels and annotations; the value of the label has to be the text `true`.",
        "fix": "Add the label, and the annotations that the finding names, to the template of the ApplicationSet."
      },
      {
        "code": "AFC-119",
        "severity": "warning",
        "title": "No pull label, so the hub deploys it to `<destination>`",
        "cause": "The same without `skip-reconcile`: the hub’s Argo CD deploys the Application itself, mostly to the hub.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> -o yaml` on the hub shows labels, annotations and `spec.destination`. Look at what runs at that destination before you change anything.",
        "fix": "Add label and annotations to the template; or remove the annotations if the hub is meant to deploy it."
      },
      {
        "code": "AFC-129",
        "severity": "error",
        "title": "The `<kind>` cannot be read",
        "cause": "The Application, its ManifestWork, its AppProject or the ApplicationSet nests deeper than 200 levels, or could not be processed, so nothing is written or deleted for it; what runs stays.",
        "check": "The backend’s log names the object and what could not be read. `kubectl get <kind> <name> -n <namespace> -o json` shows how deeply it nests.",
        "fix": "Remove the deep nesting, mostly in `spec.source.helm.valuesObject`; where there is none, see the log of the backend."
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
        "cause": "The pull label is gone, or is not true. The ManifestWork stays with all that runs, and is frozen after a minute.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> --show-labels` on the hub: the label `apps.open-cluster-management.io/pull-to-ocm-managed-cluster` has to be `true`.",
        "fix": "Restore the label, or release the works."
      },
      {
        "code": "AFC-122",
        "severity": "warning",
        "title": "Frozen ManifestWork on `<clusters>` stays",
        "cause": "Another controller set the work to `ReadOnly`, and it delivers no Application any more. It is not deleted.",
        "check": "`kubectl get manifestworks -A -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,STRATEGY:.spec.manifestConfigs[*].updateStrategy.type` on the hub shows which works are `ReadOnly`.",
        "fix": "Release the works."
      },
      {
        "code": "AFC-123",
        "severity": "info",
        "title": "The old ManifestWork on `<cluster>` waits to be deleted",
        "cause": "The Application was created again, or is delivered elsewhere; the new work has to be applied, or synced, first.",
        "check": "The steps of the Application in the drawer show how far the new ManifestWork is.",
        "fix": "See what the new ManifestWork and its cluster report."
      },
      {
        "code": "AFC-124",
        "severity": "info",
        "title": "The ManifestWork on `<cluster>` is being released",
        "cause": "The agent gives up the Application or its finalizers, as a release orders.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub shows what the agent has applied; `kubectl get applications.argoproj.io -A` on the cluster, what still exists there.",
        "fix": "Connect the cluster; remove finalizers that remain on its Application."
      },
      {
        "code": "AFC-125",
        "severity": "info",
        "title": "The ManifestWork on `<cluster>` is about to be deleted",
        "cause": "Its Application is gone; the deletion waits some seconds for others of the same cause.",
        "check": "The page of the controllers shows what propagation is about to delete.",
        "fix": "Nothing."
      },
      {
        "code": "AFC-126",
        "severity": "error",
        "title": "`<number>` deletions are held",
        "cause": "All Applications of an ApplicationSet, or most of a hub, vanished, and nobody ordered that. Their works stay.",
        "check": "See on the hub whether the ApplicationSet, its Placement or a label of the clusters was changed: `kubectl get placementdecisions -n <namespace> -o yaml` shows what is selected now.",
        "fix": "Restore the Placement or generator, or release the works."
      },
      {
        "code": "AFC-127",
        "severity": "info",
        "title": "ManifestWork on `<clusters>` is being deleted",
        "cause": "The Application is deleted, and the agent has not yet removed what the work delivered.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub shows the condition `Deleting`; on the cluster, `kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.metadata.finalizers}'` shows what keeps it.",
        "fix": "Connect the cluster; see which finalizers keep the objects there."
      },
      {
        "code": "AFC-128",
        "severity": "warning",
        "title": "The annotation argocd-fleet/release has no effect",
        "cause": "Its value is unknown, or there were no works when it was set.",
        "check": "The message names the value, or what it applied to. Known values are in Moving in and out.",
        "fix": "Remove it; set it again to release works that exist now."
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
        "cause": "A Deployment `multicluster-integrations` runs outside of RHACM’s namespace. It stops neither propagation nor aggregation, since anyone may have one of that name.",
        "check": "`kubectl get deployments -A --field-selector metadata.name=multicluster-integrations` on the hub shows in which namespace it is.",
        "fix": "If RHACM is installed there, set `argocdFleet.hubs[].rhacmNamespace`; otherwise have it renamed."
      },
      {
        "code": "AFC-131",
        "severity": "warning",
        "title": "Another writer undoes what is written on hub `<hub>`",
        "cause": "Another writer changes objects back each time, for example the status of Applications. The same content is written more and more rarely, every five minutes in the end, until ten minutes after the last time; new content is written at once.",
        "check": "`kubectl get <kind> <name> -n <namespace> -o yaml --show-managed-fields` on the hub shows who wrote the field last.",
        "fix": "Stop the writer that the finding names: remove `/status` from `spec.ignoreApplicationDifferences` of the ApplicationSet, or the other controller."
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
        "cause": "The agent does not report: everything shown is the last known state.",
        "check": "`kubectl get managedcluster <cluster>` on the hub shows the condition Available. On the cluster, `kubectl get pods -n open-cluster-management-agent` shows whether its agents run and reach the hub.",
        "fix": "Check the cluster and its agents."
      },
      {
        "code": "AFC-202",
        "severity": "error",
        "title": "The agent cannot apply the Application",
        "cause": "The agent failed to apply the manifests.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub: the condition Applied of each manifest has the error.",
        "fix": "See the conditions of the ManifestWork."
      },
      {
        "code": "AFC-203",
        "severity": "error",
        "title": "No Argo CD on `<cluster>`",
        "cause": "The cluster has no resource `Application`.",
        "check": "`kubectl get crd applications.argoproj.io` on the cluster finds none.",
        "fix": "Install Argo CD there."
      },
      {
        "code": "AFC-204",
        "severity": "error",
        "title": "Argo CD may not `<verb>` `<resources>` on `<cluster>`",
        "cause": "Argo CD on the cluster lacks a permission.",
        "check": "The evidence names account, verb, resource and namespace. `kubectl auth can-i <verb> <resource> -n <namespace> --as system:serviceaccount:<namespace>:<account>` on the cluster answers for it.",
        "fix": "Apply the ManifestWork of the finding, which permits Argo CD everything in the namespace; or label the namespace with `argocd.argoproj.io/managed-by` where the OpenShift GitOps operator runs. Only a ClusterRoleBinding permits cluster-scoped resources; the one in `deploy/examples` makes Argo CD cluster-admin. Commands are only given for Argo CD’s own account in `propagation.argocdNamespace`, and none for namespaces of Kubernetes and OpenShift."
      },
      {
        "code": "AFC-205",
        "severity": "error",
        "title": "Repository unreachable",
        "cause": "The cluster does not reach the repository.",
        "check": "The evidence has the address and the error of the connection. Try the address from the cluster, not from your machine: `kubectl exec -n <namespace> deploy/<repo-server> -- git ls-remote <repository>`.",
        "fix": "Check address, DNS, proxy, firewall and certificate authority."
      },
      {
        "code": "AFC-206",
        "severity": "error",
        "title": "Repository refuses access",
        "cause": "The repository asks for credentials.",
        "check": "`kubectl get secrets -n <namespace> -l argocd.argoproj.io/secret-type=repository` on the cluster lists the repositories that its Argo CD has credentials for. A server that hides private repositories says “not found” as well.",
        "fix": "Create a repository Secret for the cluster’s Argo CD."
      },
      {
        "code": "AFC-207",
        "severity": "error",
        "title": "Unknown revision or path",
        "cause": "There is no such branch, tag, commit, chart version or path.",
        "check": "The evidence names what does not exist. `git ls-remote <repository> <revision>` shows whether the revision was pushed; a path is relative to the root of the repository.",
        "fix": "Push it, or correct `targetRevision` and `path`."
      },
      {
        "code": "AFC-208",
        "severity": "error",
        "title": "An image cannot be pulled",
        "cause": "A container is in `ImagePullBackOff`.",
        "check": "`kubectl describe pod <pod> -n <namespace>` on the cluster has the answer of the registry among its events.",
        "fix": "Check name, tag and pull secrets of the image."
      },
      {
        "code": "AFC-209",
        "severity": "error",
        "title": "A container keeps crashing",
        "cause": "A container is in `CrashLoopBackOff`.",
        "check": "`kubectl logs <pod> -n <namespace> --previous` on the cluster has the last words of the container, `kubectl describe pod` its exit code.",
        "fix": "Read `kubectl logs --previous`."
      },
      {
        "code": "AFC-210",
        "severity": "error",
        "title": "`<kind>` is degraded",
        "cause": "At least one resource is degraded, and none of the findings above applies.",
        "check": "The drawer lists the resources that are not healthy, with the message of each.",
        "fix": "See the resources that are not healthy; or have Argo CD report the health of single resources, where it does not."
      },
      {
        "code": "AFC-211",
        "severity": "error",
        "title": "The last sync failed",
        "cause": "The last sync failed for another reason.",
        "check": "The evidence is Argo CD’s message. `kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.status.operationState}'` on the cluster has the result of every resource.",
        "fix": "The evidence names it."
      },
      {
        "code": "AFC-212",
        "severity": "error",
        "title": "Argo CD cannot compare with Git",
        "cause": "Argo CD could not render the manifests or compare them with the cluster.",
        "check": "The evidence is the error of Helm, Kustomize, a plugin, or of reading a manifest. Render the same path at the same revision: `helm template .` or `kustomize build .`.",
        "fix": "The evidence names the reason; often it is a template or a value."
      },
      {
        "code": "AFC-213",
        "severity": "error",
        "title": "Argo CD rejects the Application",
        "cause": "Argo CD does not accept the project, source or destination.",
        "check": "The evidence names what is not permitted. `kubectl get appproject <project> -n <namespace> -o yaml` on the cluster shows its repositories, destinations and kinds.",
        "fix": "Check the AppProject on the cluster."
      },
      {
        "code": "AFC-214",
        "severity": "warning",
        "title": "No sync is running or planned",
        "cause": "The cluster differs from Git, and no sync is running or planned.",
        "check": "The drawer shows whether a sync was requested, and the spec of the Application whether it syncs by itself.",
        "fix": "Set `syncPolicy.automated`, or start a sync by the Application on the hub; the command is shown."
      },
      {
        "code": "AFC-215",
        "severity": "error",
        "title": "Resources are missing",
        "cause": "Resources of the Application do not exist.",
        "check": "The drawer lists the missing resources. Events and audit logs of the cluster show who deleted one.",
        "fix": "See the resources that are missing."
      },
      {
        "code": "AFC-216",
        "severity": "info",
        "title": "`<kind>` is paused on purpose",
        "cause": "A resource is paused on purpose.",
        "check": "The drawer names the resource and its state; for a Rollout, at which step it waits.",
        "fix": "Promote it, or change it in Git."
      },
      {
        "code": "AFC-217",
        "severity": "warning",
        "title": "No status from Argo CD yet",
        "cause": "The Application is on the cluster, but Argo CD has not given it a status.",
        "check": "On the cluster, `kubectl get pods -A -l app.kubernetes.io/name=argocd-application-controller`; Applications outside of Argo CD’s own namespace need `application.namespaces` in the ConfigMap `argocd-cmd-params-cm`.",
        "fix": "Check the application controller on the cluster and the namespaces that it watches."
      },
      {
        "code": "AFC-218",
        "severity": "warning",
        "title": "Error and resource details unavailable",
        "cause": "The agent could not evaluate the condition rule, or the expression of its message.",
        "check": "The evidence is the error of the agent’s expression. `kubectl get manifestwork <name> -n <cluster> -o yaml` on the hub has it in the condition too.",
        "fix": "Report it as a bug; health and sync are still reported."
      },
      {
        "code": "AFC-219",
        "severity": "error",
        "title": "The Application was removed from `<cluster>`",
        "cause": "The agent applied the Application, and something on the cluster removed it.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace>` on the cluster. If it vanishes again, its audit log names who deletes it; mostly it is another Application that prunes.",
        "fix": "The agent applies it again within minutes; otherwise find out what removes it."
      },
      {
        "code": "AFC-220",
        "severity": "info",
        "title": "`<cluster>` has not compared the current spec yet",
        "cause": "The Application was changed on the hub, and the cluster has not reported a comparison with the new spec yet; the hub shows `OutOfSync`.",
        "check": "The drawer shows whether the ManifestWork is updated and applied. `kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.status.sync.comparedTo}'` on the cluster shows the spec that was compared.",
        "fix": "Wait some seconds; otherwise check the ManifestWork, the cluster and its Argo CD."
      },
      {
        "code": "AFC-221",
        "severity": "error",
        "title": "Argo CD still retries another revision",
        "cause": "Argo CD retries an operation for a revision that is no longer the wanted one: the error shown is of the former.",
        "check": "The message names both revisions. `kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.status.operationState}'` on the cluster shows when the next retry is.",
        "fix": "Wait for the last retry, or terminate the operation in the cluster’s Argo CD. `syncPolicy.retry.refresh: true` has each retry take the latest revision (Argo CD 3.2)."
      },
      {
        "code": "AFC-222",
        "severity": "warning",
        "title": "`<cluster>` reports names that Kubernetes does not allow",
        "cause": "A resource that the cluster reports has a name that no object has, so it is left out.",
        "check": "The evidence is the name. `kubectl get application.argoproj.io <name> -n <namespace> -o yaml --show-managed-fields` on the cluster shows who wrote its status.",
        "fix": "Find out who writes the status of the ManifestWork or of the Application on the cluster."
      },
      {
        "code": "AFC-223",
        "severity": "error",
        "title": "A resource has no namespace",
        "cause": "A manifest names no namespace, and the Application has no `spec.destination.namespace`.",
        "check": "The evidence names the kind. Only kinds that live in a namespace need one.",
        "fix": "Set `spec.destination.namespace`, or the namespace of the manifest; or `argocdFleet.propagation.defaultDestinationNamespace`."
      },
      {
        "code": "AFC-224",
        "severity": "warning",
        "title": "`<cluster>` is also on hub `<hub>`",
        "cause": "Clusters of two configured hubs report one ID (the claim `id.k8s.io`): both hubs deliver to it.",
        "check": "`kubectl get managedcluster <cluster> -o jsonpath='{.status.clusterClaims}'` on both hubs shows the claim `id.k8s.io`.",
        "fix": "Have the former hub deliver nothing to it any more; if one cluster is a copy of the other, give it an ID of its own."
      },
      {
        "code": "AFC-225",
        "severity": "error",
        "title": "Hub `<hub>` delivers `<application>` to `<cluster>` too",
        "cause": "Works of two hubs deliver an Application of one namespace and name to the same cluster: they overwrite each other.",
        "check": "`kubectl get appliedmanifestworks` on the cluster lists the works of both hubs that apply it.",
        "fix": "Let one hub deliver it; before you remove the other’s work, have it leave the Application on the cluster."
      },
      {
        "code": "AFC-226",
        "severity": "warning",
        "title": "A sync window keeps the sync back",
        "cause": "A sync was started, and a sync window of the AppProject on the cluster does not allow it now.",
        "check": "`kubectl get appproject <project> -n <namespace> -o jsonpath='{.spec.syncWindows}'` on the cluster shows the windows.",
        "fix": "Wait for the window, or change `spec.syncWindows` of the AppProject."
      },
      {
        "code": "AFC-227",
        "severity": "warning",
        "title": "Only pruning is left, and it is off",
        "cause": "The wanted revision is synced; what still differs, an automated sync without `prune` does not change.",
        "check": "The drawer lists what would be deleted. Make sure that all of it may go.",
        "fix": "Sync with pruning once, or set `syncPolicy.automated.prune`."
      },
      {
        "code": "AFC-228",
        "severity": "warning",
        "title": "Out of sync again, and self-heal is off",
        "cause": "The wanted revision is synced, and the cluster differs from it; an automated sync without `selfHeal` does not repeat a revision.",
        "check": "`argocd app diff <name>` shows what differs, and `kubectl get <kind> <name> -n <namespace> -o yaml --show-managed-fields` on the cluster who changed it.",
        "fix": "Sync once, or set `syncPolicy.automated.selfHeal`."
      },
      {
        "code": "AFC-229",
        "severity": "warning",
        "title": "A deletion waits to be confirmed",
        "cause": "The sync deletes a resource with `Prune=confirm`, which a person has to confirm.",
        "check": "The drawer names the resources that would be deleted.",
        "fix": "Annotate the Application on the cluster with `argocd.argoproj.io/deletion-approved`, or put the resource back into the source."
      },
      {
        "code": "AFC-230",
        "severity": "error",
        "title": "The source hydrator failed",
        "cause": "Argo CD’s source hydrator could not render the dry source to the branch that is synced. The cluster keeps what was rendered before.",
        "check": "The evidence is the hydrator’s message; the drawer shows which dry and hydrated revisions were the last good ones.",
        "fix": "Correct the dry source; or give Argo CD credentials that may push (a Secret with the label `argocd.argoproj.io/secret-type: repository-write`)."
      },
      {
        "code": "AFC-231",
        "severity": "warning",
        "title": "Being deleted on `<cluster>`",
        "cause": "The Application is being deleted on its cluster although the hub wants it, and exists until its finalizers are gone. Argo CD does not sync it any more.",
        "check": "The drawer shows since when, and the finalizers. On the cluster, see which of the Application’s resources have a `deletionTimestamp`, and finalizers of their own.",
        "fix": "See which of its resources still exist, and which finalizers those have. Once it is gone, the agent applies it again."
      },
      {
        "code": "AFC-232",
        "severity": "error",
        "title": "Argo CD cannot delete what it deployed",
        "cause": "Argo CD fails to delete the resources of an Application that is being deleted.",
        "check": "The evidence is Argo CD’s message. `kubectl get appproject <project> -n <namespace>` on the cluster shows whether the project still exists.",
        "fix": "The evidence names the reason: mostly a missing permission, a destination that no longer exists, or an AppProject that was deleted first."
      },
      {
        "code": "AFC-233",
        "severity": "error",
        "title": "Argo CD’s repo server on `<cluster>` does not answer",
        "cause": "The application controller gets no answer from the repo server: it is down, too slow, or the two do not agree on TLS. No Application of the cluster is compared with Git.",
        "check": "On the cluster, `kubectl get pods -A -l app.kubernetes.io/name=argocd-repo-server` shows restarts, and `kubectl logs` of it what it was doing. By default, Argo CD reports this only after three minutes without an answer.",
        "fix": "Check that the repo server runs with enough memory and CPU; raise `controller.repo.server.timeout.seconds`."
      },
      {
        "code": "AFC-234",
        "severity": "error",
        "title": "Argo CD cannot read `<cluster>`",
        "cause": "Argo CD cannot read the objects that exist on the cluster, so it compares no Application there.",
        "check": "The evidence names what failed. `kubectl get --raw /version`, as Argo CD’s service account on the cluster, tries the same.",
        "fix": "The evidence names the reason: the API server, or a permission."
      },
      {
        "code": "AFC-235",
        "severity": "error",
        "title": "Objects of kind `<kind>` cannot be read on `<cluster>`",
        "cause": "The conversion webhook of a CustomResourceDefinition does not answer. Argo CD reads all kinds of the cluster, and one that fails keeps it from comparing any Application there.",
        "check": "`kubectl get crd <name> -o jsonpath='{.spec.conversion}'` on the cluster names the service; `kubectl get endpoints -n <namespace> <service>` shows whether anything is behind it.",
        "fix": "Get the webhook to run again; or remove the CustomResourceDefinition of an operator that is gone."
      },
      {
        "code": "AFC-236",
        "severity": "error",
        "title": "An API of `<cluster>` does not answer",
        "cause": "An aggregated API (APIService) has no server that answers, which keeps Argo CD from comparing any Application there.",
        "check": "`kubectl get apiservices` on the cluster shows which is not available, and why.",
        "fix": "Get its Pods to run again, or delete the APIService if it is not needed."
      },
      {
        "code": "AFC-237",
        "severity": "error",
        "title": "The SSH host key is not the known one",
        "cause": "The Git server shows another SSH host key than the known one, or one that is not known.",
        "check": "`ssh-keyscan <host>` shows the key that the server offers now. Compare it with what its owner publishes, not with what the network answers.",
        "fix": "Check the key with the server’s owner, then put it into the ConfigMap `argocd-ssh-known-hosts-cm` of the cluster’s Argo CD."
      },
      {
        "code": "AFC-238",
        "severity": "error",
        "title": "The repository speaks HTTP, not HTTPS",
        "cause": "The server at the repository’s address answers in plain HTTP.",
        "check": "`curl -v https://<address>` fails at TLS, and `http://` at the same address answers.",
        "fix": "Correct the address or the port; for a registry without TLS, set `insecureOCIForceHttp` in the repository Secret."
      },
      {
        "code": "AFC-239",
        "severity": "error",
        "title": "`<number>` clusters of Argo CD have the same name",
        "cause": "Several cluster Secrets of one Argo CD have the name of the destination, so it refuses it.",
        "check": "`kubectl get secrets -n <namespace> -l argocd.argoproj.io/secret-type=cluster -o custom-columns=SECRET:.metadata.name,CREATED:.metadata.creationTimestamp` in Argo CD’s namespace lists the Secrets; the finding names their servers.",
        "fix": "Give one another name, or delete the one that is not needed."
      },
      {
        "code": "AFC-240",
        "severity": "error",
        "title": "A manifest is too large for client-side apply",
        "cause": "Client-side apply stores the whole manifest in an annotation, which may have 262,144 bytes.",
        "check": "The evidence names the object. `kubectl get <kind> <name> -o json | wc -c` is about the size of the annotation.",
        "fix": "Add `ServerSideApply=true` to `syncPolicy.syncOptions` of the template, or to the object."
      },
      {
        "code": "AFC-241",
        "severity": "error",
        "title": "The value of a label is too long",
        "cause": "A label has more than 63 characters, mostly the name of the Application, by which Argo CD tracks what it deploys.",
        "check": "The evidence has the value. `kubectl get configmap argocd-cm -n <namespace> -o jsonpath='{.data.application\\.resourceTrackingMethod}'` on the cluster shows how Argo CD tracks: with `label`, names of Applications are values of labels.",
        "fix": "Shorten it, or have Argo CD track by annotation."
      },
      {
        "code": "AFC-242",
        "severity": "error",
        "title": "The AppProject does not permit `<object>`",
        "cause": "The AppProject on the cluster does not permit a kind or a namespace that the source contains.",
        "check": "`kubectl get appproject <project> -n <namespace> -o yaml` on the cluster: `clusterResourceWhitelist`, `namespaceResourceBlacklist` and `destinations`.",
        "fix": "Take it out of the source, or permit it in the AppProject on the cluster."
      },
      {
        "code": "AFC-243",
        "severity": "error",
        "title": "`<cluster>` does not know `<kind>`",
        "cause": "The cluster has no such kind, or not in that version: its CustomResourceDefinition is missing.",
        "check": "`kubectl api-resources --api-group=<group>` on the cluster lists the kinds and versions that it knows.",
        "fix": "Install it first, or in an earlier sync wave with `SkipDryRunOnMissingResource=true`; correct `apiVersion`."
      },
      {
        "code": "AFC-244",
        "severity": "error",
        "title": "A policy of `<cluster>` denies the request",
        "cause": "An admission webhook or a ValidatingAdmissionPolicy denies an object.",
        "check": "`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies` on the cluster lists the policies; the finding names which one it was.",
        "fix": "The evidence is its reason. Correct the manifest, or ask its owner for an exception."
      },
      {
        "code": "AFC-245",
        "severity": "error",
        "title": "An admission webhook of `<cluster>` does not answer",
        "cause": "The API server has to ask an admission webhook that does not answer.",
        "check": "`kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml` on the cluster shows the service of the webhook; `kubectl get endpoints` in its namespace, whether anything is behind it.",
        "fix": "Get its Pods to run again; install it in an earlier sync wave."
      },
      {
        "code": "AFC-246",
        "severity": "error",
        "title": "A field cannot be changed",
        "cause": "The source changes a field that Kubernetes does not let be changed.",
        "check": "The evidence names the field. `kubectl get <kind> <name> -n <namespace> -o yaml` on the cluster shows its value there.",
        "fix": "Take the change back, rename the object, or have it created anew (`Replace=true,Force=true`)."
      },
      {
        "code": "AFC-247",
        "severity": "error",
        "title": "`<cluster>` has no namespace `<namespace>`",
        "cause": "An object belongs into a namespace that does not exist.",
        "check": "`kubectl get namespaces` on the cluster. The namespace is that of a manifest, or `spec.destination.namespace`.",
        "fix": "Add `CreateNamespace=true` to `syncPolicy.syncOptions` of the template, or create it."
      },
      {
        "code": "AFC-248",
        "severity": "error",
        "title": "The quota `<quota>` is exhausted",
        "cause": "A ResourceQuota does not let an object be created or grow.",
        "check": "`kubectl describe resourcequota <quota> -n <namespace>` on the cluster shows what is used and what is allowed.",
        "fix": "Request less, free something in the namespace, or have the quota raised."
      },
      {
        "code": "AFC-249",
        "severity": "error",
        "title": "Another manager owns a field",
        "cause": "With server-side apply, another manager owns a field that the source sets too.",
        "check": "The evidence names manager and field. `kubectl get <kind> <name> -n <namespace> -o yaml --show-managed-fields` on the cluster shows all of them.",
        "fix": "Let one of the two manage it: take it out of Git and out of the comparison, or have the other give it up."
      },
      {
        "code": "AFC-250",
        "severity": "warning",
        "title": "Two Applications deploy the same object",
        "cause": "Another Application on the cluster deploys an object of this one too.",
        "check": "The evidence names the object and both Applications.",
        "fix": "Have one of the two deploy it; give each of one ApplicationSet a namespace or names of its own."
      },
      {
        "code": "AFC-251",
        "severity": "error",
        "title": "No service account to sync with",
        "cause": "Argo CD syncs with a service account that the AppProject names for each destination, and it names none for this one.",
        "check": "`kubectl get appproject <project> -n <namespace> -o jsonpath='{.spec.destinationServiceAccounts}'` on the cluster; the setting is `application.sync.impersonation.enabled` in the ConfigMap `argocd-cm`.",
        "fix": "Add the destination to `spec.destinationServiceAccounts` of the AppProject on the cluster."
      },
      {
        "code": "AFC-252",
        "severity": "error",
        "title": "Argo CD reports an error of its own",
        "cause": "Argo CD could not process the Application, for a reason that is none of the Application.",
        "check": "The log of the application controller on the cluster, about this Application.",
        "fix": "The evidence is all that it reports; the log of its application controller has more."
      },
      {
        "code": "AFC-253",
        "severity": "error",
        "title": "A digest is not a version of a chart",
        "cause": "The Application names a Helm chart by a digest, and Argo CD takes `targetRevision` for a version.",
        "check": "The evidence has the digest that `targetRevision` names.",
        "fix": "Name the version, or use a source with `oci://` and `path` (Argo CD 3.1)."
      },
      {
        "code": "AFC-254",
        "severity": "error",
        "title": "Argo CD on `<cluster>` would delete everything",
        "cause": "All Applications of the cluster became OutOfSync within a minute, and a sync with pruning would delete every resource of each: mostly Argo CD lost its cache, or renders nothing.",
        "check": "`argocd app diff <name>` for one Application, and `git log` of its repository: if nothing was removed there, do not sync.",
        "fix": "Sync nothing before it is clear; compare anew, or restart Argo CD’s application controller and repo server there."
      },
      {
        "code": "AFC-255",
        "severity": "error",
        "title": "The API server of `<cluster>` is not healthy",
        "cause": "The cluster’s agent lives (`Available=False`, not `Unknown`) and reports that the API server is not healthy: everything shown is the last known state.",
        "check": "`kubectl get managedcluster <cluster> -o jsonpath='{.status.conditions}'` on the hub has the agent’s reason; `kubectl get --raw '/livez?verbose'` on the cluster, which check fails.",
        "fix": "Check the control plane of the cluster (`/livez?verbose`)."
      },
      {
        "code": "AFC-256",
        "severity": "warning",
        "title": "A sync that was requested never started",
        "cause": "The hub sent a sync that Argo CD on the cluster did not start within ten minutes, or before the spec changed; it is not sent any more.",
        "check": "`kubectl get application.argoproj.io <name> -n <namespace> -o jsonpath='{.operation}'` on the cluster: an operation that is there was not taken up.",
        "fix": "Request it again once Argo CD’s application controller runs there and watches the Application’s namespace."
      },
      {
        "code": "AFC-257",
        "severity": "warning",
        "title": "A newer revision waits for a sync in waves",
        "cause": "A sync in waves waits for a resource, and another revision is wanted by now; Argo CD syncs that only after the operation has ended.",
        "check": "The evidence names the resource that is waited for; the drawer has its health.",
        "fix": "See why the resource is not done; terminate the operation if the wanted revision would mend it."
      },
      {
        "code": "AFC-258",
        "severity": "warning",
        "title": "No step of the rolling sync selects it",
        "cause": "With RollingSync, an Application that no step selects by its labels is never synced, automatically or by the controller.",
        "check": "Compare the labels of the Application with `spec.strategy.rollingSync.steps` of the ApplicationSet.",
        "fix": "Give the template the label that the steps match, or add a step; sync it by hand."
      },
      {
        "code": "AFC-259",
        "severity": "error",
        "title": "A repository of chart dependencies cannot be read",
        "cause": "Helm has no index of a chart repository that the `dependencies` of the chart name: it is unreachable from the cluster, or refuses access. Helm does not say which, nor why.",
        "check": "The addresses are under `dependencies` in `Chart.yaml`. Try each from the cluster: `kubectl exec -n <namespace> deploy/<repo-server> -- helm repo add try <address>`.",
        "fix": "Check the addresses in `Chart.yaml`; give Argo CD a repository Secret with `type: helm` where one asks for credentials, or is reached through a proxy."
      },
      {
        "code": "AFC-260",
        "severity": "info",
        "title": "A rendered commit waits to be promoted",
        "cause": "The Application has `spec.sourceHydrator.hydrateTo`. The source hydrator has rendered a newer commit to that branch, and the branch of `syncSource`, which Argo CD syncs, has not moved since. What moves it is a process outside of Argo CD, such as a pull request.",
        "check": "`git log --oneline origin/<syncSource branch>..origin/<hydrateTo branch>` in a clone of the repository lists what waits.",
        "fix": "Merge the pull request between the two branches, or see why the process that does it has not."
      },
      {
        "code": "AFC-261",
        "severity": "warning",
        "title": "An operation that has run is still in the ManifestWork",
        "cause": "Another controller than this plugin wrote `operation` into the ManifestWork, mostly from the hub’s Application, and took it off neither. Argo CD on the cluster has run it, and syncs again whenever the agent applies the ManifestWork again: with each change, and without end unless the ManifestWork has `ignoreFields` for `.operation`.",
        "check": "`kubectl get manifestwork <work> -n <cluster> -o yaml` on the hub shows `operation` in the Application of the ManifestWork, and `manifestConfigs` with or without `ignoreFields`.",
        "fix": "Take `operation` off the hub’s Application, or let this plugin deliver: it sends an operation once and takes it off both."
      },
      {
        "code": "AFC-262",
        "severity": "warning",
        "title": "A sync in waves has waited long for a resource",
        "cause": "Argo CD syncs in waves, and applies a wave once the resources of the one before are healthy. One of them has not become healthy for more than ten minutes, or a hook has not ended. Argo CD waits without a limit, and does not count that as failed.",
        "check": "The evidence names the resource; `kubectl describe` of it on the cluster, and its events, say why it is not healthy.",
        "fix": "Remove that reason, and the sync goes on. A kind whose health Argo CD does not know needs a health check in `argocd-cm` (`resource.customizations.health.<group>_<kind>`). To end the sync: `argocd app terminate-op <namespace>/<application>`."
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
        "cause": "The ApplicationSet controller reports an error.",
        "check": "`kubectl get applicationset <name> -n <namespace> -o jsonpath='{.status.conditions}'` on the hub has the controller’s error.",
        "fix": "The evidence names the reason."
      },
      {
        "code": "AFC-302",
        "severity": "error",
        "title": "No Placement `<placement>`",
        "cause": "The generator’s Placement does not exist.",
        "check": "`kubectl get placements -n <namespace> --show-labels` on the hub lists those that the generator could mean.",
        "fix": "Create it, or correct the label selector."
      },
      {
        "code": "AFC-303",
        "severity": "warning",
        "title": "No cluster selected",
        "cause": "The Placement selects no cluster.",
        "check": "The page of the ApplicationSet shows the Placement’s predicates and what it selects. `kubectl get managedclusters --show-labels` and `kubectl get managedclustersetbindings -n <namespace>` show what it could select.",
        "fix": "Check the bindings of cluster sets and the Placement’s labels."
      },
      {
        "code": "AFC-304",
        "severity": "warning",
        "title": "No owner recorded",
        "cause": "The portal created the ApplicationSet, and no owner is recorded on it: only who may change every ApplicationSet can change it through the portal.",
        "check": "`kubectl get applicationset <name> -n <namespace> -o jsonpath='{.metadata.annotations}'` on the hub has no `argocd-fleet/component-owner`.",
        "fix": "Record the owner in the annotation `argocd-fleet/component-owner`."
      },
      {
        "code": "AFC-305",
        "severity": "info",
        "title": "The portal may no longer change this ApplicationSet",
        "cause": "The portal created the ApplicationSet, and `argocdFleet.hubs[].writes` does not allow it any more. It keeps running.",
        "check": "The evidence names the field. Compare it with `argocdFleet.hubs[].writes` of this hub.",
        "fix": "Extend the configuration that the evidence names, or change the ApplicationSet on the hub."
      },
      {
        "code": "AFC-306",
        "severity": "warning",
        "title": "The namespace `<namespace>` may not define components",
        "cause": "The annotations of an ApplicationSet define a component of the catalog, and the configuration does not permit that in its namespace. Where no namespaces are configured, a component that the catalog already has of it stays (AFC-308).",
        "check": "The finding names the annotations. `argocdFleet.components.namespaces` lists the namespaces that may define components.",
        "fix": "Add the namespace to `argocdFleet.components.namespaces` if everyone who may write ApplicationSets there may choose the names and owners of components."
      },
      {
        "code": "AFC-307",
        "severity": "warning",
        "title": "The annotation argocd-fleet/component is not a valid name",
        "cause": "The catalog has no component of the ApplicationSet.",
        "check": "`kubectl get applicationset <name> -n <namespace> -o jsonpath='{.metadata.annotations}'` on the hub shows the value.",
        "fix": "Use at most 63 letters, digits, and - \\_ . between them."
      },
      {
        "code": "AFC-308",
        "severity": "warning",
        "title": "The namespace `<namespace>` may not define new components",
        "cause": "The annotations of an ApplicationSet define a component of the catalog, and the configuration does not permit that in its namespace. The catalog already has the component, and keeps it as long as no namespaces are configured.",
        "check": "The catalog has the component already; its page names the ApplicationSet that it comes from.",
        "fix": "Add the namespace to `argocdFleet.components.namespaces` if everyone who may write ApplicationSets there may choose the names and owners of components."
      },
      {
        "code": "AFC-309",
        "severity": "warning",
        "title": "Deploys to the hub, not to the clusters that it selects",
        "cause": "The generator makes an Application for each cluster of a Placement, and the template’s destination is always the hub’s own cluster, without the pull label.",
        "check": "`kubectl get applicationset <name> -n <namespace> -o jsonpath='{.spec.template}'` on the hub shows labels, annotations and destination of the template.",
        "fix": "Add the label and the annotations of the pull model to the template, or, for the push model, set its destination to `{{server}}`."
      },
      {
        "code": "AFC-310",
        "severity": "error",
        "title": "Placeholders are left in the Applications",
        "cause": "The ApplicationSet’s controller did not fill in a placeholder of the template.",
        "check": "The evidence names the placeholder. `goTemplate` in the spec decides how placeholders are written.",
        "fix": "With `goTemplate: true`, write `{{.name}}`, otherwise `{{name}}`; use parameters that the generator gives."
      },
      {
        "code": "AFC-311",
        "severity": "info",
        "title": "Applications stay where the Placement selects no more",
        "cause": "`syncPolicy.applicationsSync` is `create-only` or `create-update`, and there are more Applications than clusters are selected.",
        "check": "The page of the ApplicationSet shows how many clusters are selected and how many Applications there are.",
        "fix": "Delete those that are not needed, or set `applicationsSync: sync`."
      },
      {
        "code": "AFC-312",
        "severity": "warning",
        "title": "The generator finds no placement decision",
        "cause": "There is no PlacementDecision, and the controller changes nothing then: Applications that exist stay.",
        "check": "`kubectl get placementdecisions -n <namespace> --show-labels` on the hub; the generator looks for them by a label or by a name.",
        "fix": "Have the Placement select a cluster, or correct the generator."
      },
      {
        "code": "AFC-313",
        "severity": "info",
        "title": "Deleted step by step, the last step first",
        "cause": "The ApplicationSet is being deleted with `deletionOrder: Reverse`: the Applications of a step stay until those of all later steps are gone.",
        "check": "The page of the ApplicationSet shows which Applications are left, by step.",
        "fix": "Wait, or see what keeps the Applications of the last step."
      },
      {
        "code": "AFC-314",
        "severity": "warning",
        "title": "Argo CD may stop at the scores of the Placement",
        "cause": "Applications are missing, and the Placement’s decisions have scores: Argo CD’s ApplicationSet controller before 3.3.9 and before 3.4.0 fails at those.",
        "check": "`kubectl get placementdecisions -n <namespace> -o yaml` on the hub has `score` among the decisions; the image of the ApplicationSet controller has its version.",
        "fix": "Upgrade the hub’s Argo CD, or take prioritizers with scores out of the Placement."
      },
      {
        "code": "AFC-315",
        "severity": "info",
        "title": "The ApplicationSet is being deleted",
        "cause": "The ApplicationSet was deleted in the foreground: it stays until the last of its Applications is gone from its cluster.",
        "check": "The page of the ApplicationSet shows which Applications are left, and what each waits for.",
        "fix": "Wait: an agent that is away follows once it is connected. To have the ApplicationSet gone now, delete it once more, in the background (`--cascade=background`)."
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
        "cause": "Objects that no finding of their own names, such as Placements or Applications of no ApplicationSet, are nested too deeply, or could not be processed. Nothing is written or deleted for them, and they authorise nothing.",
        "check": "The backend’s log names each object and what could not be read.",
        "fix": "The backend’s log names each; have it changed by its owner."
      },
      {
        "code": "AFC-401",
        "severity": "error",
        "title": "`<kind>` is not served by hub `<hub>`",
        "cause": "The hub lacks a custom resource definition.",
        "check": "`kubectl api-resources` on the hub does not list the kind.",
        "fix": "Install what the finding names; only the controllers that need it do not run."
      },
      {
        "code": "AFC-402",
        "severity": "error",
        "title": "`<kind>` may not be read on hub `<hub>`",
        "cause": "The backend’s user may not list and watch a resource.",
        "check": "`kubectl auth can-i list <resource> --all-namespaces`, as the backend’s user on the hub, answers no.",
        "fix": "Apply `deploy/rbac/read.yaml`."
      },
      {
        "code": "AFC-403",
        "severity": "warning",
        "title": "No hub is configured",
        "cause": "`argocdFleet.hubs` is empty.",
        "check": "`argocdFleet.hubs` in the portal’s configuration.",
        "fix": "Add a hub."
      },
      {
        "code": "AFC-404",
        "severity": "info",
        "title": "Hub `<hub>` has an older Open Cluster Management",
        "cause": "The hub’s ManifestWork lacks fields that propagation can use. Without `conditionRules` (OCM 1.0) only the first errors are reported, without `feedbackScrapeType` (OCM 1.2) status changes take some seconds.",
        "check": "`kubectl get crd manifestworks.work.open-cluster-management.io -o yaml` on the hub shows the fields that it knows.",
        "fix": "Upgrade Open Cluster Management, or turn `conditionRules` or `watch` off in the configuration."
      },
      {
        "code": "AFC-405",
        "severity": "warning",
        "title": "RHACM propagates on hub `<hub>`",
        "cause": "RHACM’s own controller writes the ManifestWorks; propagation only observes.",
        "check": "`kubectl get deployment multicluster-integrations -n <namespace>` on the hub runs in RHACM’s namespace.",
        "fix": "Switch RHACM’s basic pull model off, or leave delivery to it."
      },
      {
        "code": "AFC-406",
        "severity": "error",
        "title": "Another writer overwrites ManifestWorks on hub `<hub>`",
        "cause": "Another writer overwrites what propagation writes. Propagation only observes the works of that cluster until ten minutes after the last overwrite; where works of three clusters, and of 5 % of all, are overwritten, the whole hub.",
        "check": "`kubectl get manifestwork <name> -n <cluster> -o yaml --show-managed-fields` on the hub names the other writer.",
        "fix": "Stop the other writer, or leave delivery to it."
      },
      {
        "code": "AFC-407",
        "severity": "info",
        "title": "Unknown whether RHACM propagates on hub `<hub>`",
        "cause": "The backend’s user may not read the Deployment that would show it.",
        "check": "`kubectl auth can-i get deployments -n open-cluster-management`, as the backend’s user on the hub, answers no.",
        "fix": "Apply `deploy/rbac/read.yaml`."
      },
      {
        "code": "AFC-408",
        "severity": "warning",
        "title": "RHACM writes the reports on hub `<hub>`",
        "cause": "RHACM writes the reports of the hub, and aggregation only observes.",
        "check": "`kubectl get multiclusterapplicationsetreports -A -o yaml --show-managed-fields` on the hub names the writer.",
        "fix": "Set aggregation to `observe`, or switch RHACM’s pull model off."
      },
      {
        "code": "AFC-409",
        "severity": "warning",
        "title": "The certificate of hub `<hub>` is not verified",
        "cause": "`insecure-skip-tls-verify` in the kubeconfig, or `skipTLSVerify`, lets anyone on the network path impersonate the hub and read the backend’s token.",
        "check": "The kubeconfig of the hub, or `argocdFleet.hubs[].cluster.skipTLSVerify`, has the setting.",
        "fix": "Remove the setting, and name the hub’s CA."
      },
      {
        "code": "AFC-411",
        "severity": "error",
        "title": "The hub does not permit a write for `<object>`",
        "cause": "The backend’s user lacks a permission.",
        "check": "The evidence is the API server’s answer. `kubectl auth can-i <verb> <resource> -n <namespace>`, as the backend’s user on the hub, answers for it.",
        "fix": "Apply the controller’s file in `deploy/rbac/`, or set it to `observe`."
      },
      {
        "code": "AFC-412",
        "severity": "error",
        "title": "The hub rejects a write for `<object>`",
        "cause": "The API server finds the write invalid.",
        "check": "The evidence is the API server’s answer and names the field.",
        "fix": "The evidence names the reason; the controller retries when something changes."
      },
      {
        "code": "AFC-413",
        "severity": "warning",
        "title": "`<object>` could not be reconciled",
        "cause": "A request failed.",
        "check": "The page of the controllers shows how often it failed and when it is tried next.",
        "fix": "Nothing; the controller retries."
      },
      {
        "code": "AFC-414",
        "severity": "error",
        "title": "Hub `<hub>` has no namespace `<namespace>`",
        "cause": "The namespace to write into does not exist; usually it is that of a managed cluster.",
        "check": "`kubectl get namespace <namespace>` and `kubectl get managedcluster <cluster>` on the hub.",
        "fix": "Accept the cluster, or recreate the namespace."
      },
      {
        "code": "AFC-415",
        "severity": "warning",
        "title": "`<object>` could not be recorded",
        "cause": "The plugin’s database does not store an Application’s state.",
        "check": "The evidence is the database’s error; the backend’s log has all of them.",
        "fix": "Check the database; the controller records what is missing by itself."
      },
      {
        "code": "AFC-416",
        "severity": "error",
        "title": "New deliveries wait on hub `<hub>`",
        "cause": "Placements, ManagedClusterSets or ManagedClusterSetBindings cannot be read: which decisions count is not known. Existing works are kept up to date.",
        "check": "The findings of the hub name the resource. `kubectl auth can-i list placements.cluster.open-cluster-management.io --all-namespaces`, as the backend’s user, answers for one of them.",
        "fix": "Give the backend’s user the rule that the finding shows, or install the CRD."
      },
      {
        "code": "AFC-420",
        "severity": "info",
        "title": "`<number>` writes withheld",
        "cause": "The evidence lists what `observe` mode would write.",
        "check": "The evidence lists the first of the writes; compare them with what you expect.",
        "fix": "Set `mode: manage` to have it written."
      },
      {
        "code": "AFC-421",
        "severity": "info",
        "title": "`<number>` more findings",
        "cause": "A controller has more findings than it shows.",
        "check": "The page of each ApplicationSet has its own.",
        "fix": "See them with their ApplicationSets."
      },
      {
        "code": "AFC-430",
        "severity": "warning",
        "title": "The resource source `<source>` failed",
        "cause": "A module’s source of details does not answer.",
        "check": "The evidence is the module’s error; its own documentation says what it needs.",
        "fix": "The evidence names the reason; the last answer is shown."
      },
      {
        "code": "AFC-431",
        "severity": "error",
        "title": "Search of hub `<hub>` does not accept the token",
        "cause": "RHACM’s Search answers 401 or 403: the token is missing, has expired, or is not of this hub.",
        "check": "Send the token to Search yourself: `curl -H 'Authorization: Bearer <token>' <url>` answers 401 or 403.",
        "fix": "Provide a new token; a new one in the file is used without a restart."
      },
      {
        "code": "AFC-432",
        "severity": "error",
        "title": "The certificate of Search of hub `<hub>` is not trusted",
        "cause": "The backend sends no requests to it.",
        "check": "`openssl s_client -connect <host>:<port>` shows the certificate, who signed it, and for which names.",
        "fix": "Set `caFile` or `caData`, and an address that is in the certificate."
      },
      {
        "code": "AFC-433",
        "severity": "warning",
        "title": "Search of hub `<hub>` does not answer",
        "cause": "Search cannot be reached, takes too long, or answers with an error.",
        "check": "`kubectl get pods -n open-cluster-management -l component=search` on the hub shows whether Search runs.",
        "fix": "Check its pods; use smaller batches or a longer timeout."
      },
      {
        "code": "AFC-434",
        "severity": "warning",
        "title": "Search of hub `<hub>` failed for a part of the fleet",
        "cause": "Search has no result for some clusters, or no details of what is deployed there; its last answer is shown.",
        "check": "The evidence is the error of Search, for the first of the clusters.",
        "fix": "The evidence is the error of Search; use smaller batches."
      },
      {
        "code": "AFC-435",
        "severity": "warning",
        "title": "Search of hub `<hub>` returns items that cannot be read",
        "cause": "Each such item was skipped and counted; the evidence is the first.",
        "check": "The evidence is the first such item.",
        "fix": "Report it as a bug if RHACM writes its index in that form."
      },
      {
        "code": "AFC-436",
        "severity": "warning",
        "title": "Search of hub `<hub>` has more items than the limit",
        "cause": "A single cluster reaches the limit; its lists of resources are left out, because they would have gaps.",
        "check": "The finding names the cluster; `limit` of the source is in the portal’s configuration.",
        "fix": "Raise `limit`."
      },
      {
        "code": "AFC-437",
        "severity": "info",
        "title": "Search of hub `<hub>` returns no Applications",
        "cause": "Search leaves out, without an error, what the service account may not see.",
        "check": "Ask Search with the same token for `kind:Application`; `kubectl get managedclusteraddons -A` on the hub shows whether the collectors run.",
        "fix": "Bind the ClusterRole of the installation guide; check the collectors."
      },
      {
        "code": "AFC-438",
        "severity": "warning",
        "title": "The resource source `<source>` returns details that cannot be read",
        "cause": "Details in a module’s answer do not name their Application; each was skipped.",
        "check": "The evidence is the first of them.",
        "fix": "Correct the module; the evidence is the first of them."
      },
      {
        "code": "AFC-441",
        "severity": "warning",
        "title": "Owner `<owner>` is not in the catalog",
        "cause": "ApplicationSets have an owner that the portal’s catalog does not have.",
        "check": "The catalog has no group or user of that name; `argocd-fleet/component-owner` on the ApplicationSet, or the default of the configuration, names it.",
        "fix": "Set `catalog.providers.argocdFleet.defaultOwner` to a group or user of the catalog, or add this one."
      },
      {
        "code": "AFC-442",
        "severity": "info",
        "title": "`<number>` ApplicationSets have readers by links only",
        "cause": "Entities of the catalog link to ApplicationSets that record no owner; the owners of these entities may not read them where the permission policy lets owners read.",
        "check": "The evidence lists some of these ApplicationSets, and the entities that link to them.",
        "fix": "Record the owner on each ApplicationSet, or set `argocdFleet.permissions.readByLink`."
      },
      {
        "code": "AFC-444",
        "severity": "warning",
        "title": "Component `<component>` is not that of `<ApplicationSet>`",
        "cause": "The annotations of two ApplicationSets with different owners define the same component. It is that of the older one; the other ApplicationSet shows the finding.",
        "check": "The finding names both ApplicationSets; compare their annotations `argocd-fleet/component` and `argocd-fleet/component-owner`.",
        "fix": "Give the component another name, or both ApplicationSets the same owner."
      },
      {
        "code": "AFC-445",
        "severity": "warning",
        "title": "Component `<component>` is not made from `<ApplicationSet>`",
        "cause": "The annotations of an ApplicationSet define a component that the catalog has from a file or another provider. It stays as it is.",
        "check": "The page of the component in the catalog shows from which file or provider it comes.",
        "fix": "Name the ApplicationSet in its annotation `argocd-fleet/applicationset`, or give the component another name."
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
        "cause": "It does not name a Placement of its own namespace and an Argo CD namespace.",
        "check": "`kubectl get gitopscluster <name> -n <namespace> -o yaml` on the hub: `spec.placementRef` and `spec.argoServer.argoNamespace`.",
        "fix": "Correct its spec."
      },
      {
        "code": "AFC-502",
        "severity": "error",
        "title": "No Placement `<placement>`",
        "cause": "The GitOpsCluster’s Placement does not exist. No cluster is imported or removed.",
        "check": "`kubectl get placements -n <namespace>` on the hub, in the namespace of the GitOpsCluster.",
        "fix": "Create it, or correct `spec.placementRef`."
      },
      {
        "code": "AFC-503",
        "severity": "warning",
        "title": "No managed cluster `<cluster>`",
        "cause": "A placement decision names a cluster that the hub does not manage, or no longer manages.",
        "check": "`kubectl get managedcluster <cluster>` on the hub finds none.",
        "fix": "Usually this resolves itself."
      },
      {
        "code": "AFC-504",
        "severity": "warning",
        "title": "`<cluster>` has a Secret of another owner",
        "cause": "Argo CD knows the cluster by a Secret that no GitOpsCluster created; it stays unchanged.",
        "check": "`kubectl get secret <name> -n <namespace> -o yaml` in Argo CD’s namespace on the hub shows labels and owner.",
        "fix": "Delete it to have the cluster imported instead."
      },
      {
        "code": "AFC-505",
        "severity": "error",
        "title": "No token for `<cluster>`",
        "cause": "The ManagedServiceAccount has no token on the hub, or the cluster no address. Argo CD’s Secret of the cluster stays unchanged.",
        "check": "`kubectl get managedserviceaccount <name> -n <cluster> -o yaml` on the hub has a token in its status or says why not; `kubectl get managedcluster <cluster> -o jsonpath='{.spec.managedClusterClientConfigs}'` shows the address.",
        "fix": "Check the add-on managed-serviceaccount, and the backend’s permission to read that Secret."
      },
      {
        "code": "AFC-506",
        "severity": "warning",
        "title": "`<cluster>` is still used",
        "cause": "The cluster left its Placement, and Applications still target it: its Secret stays.",
        "check": "The evidence names Applications that have the cluster as destination.",
        "fix": "Remove or retarget the Applications."
      },
      {
        "code": "AFC-507",
        "severity": "info",
        "title": "`<number>` cluster Secrets without a GitOpsCluster",
        "cause": "Secrets that carry RHACM’s label and that no GitOpsCluster has selected since the backend started; the plugin did not create them.",
        "check": "The evidence lists them. Check that no Application has one of these clusters as destination.",
        "fix": "Delete those that are not needed."
      },
      {
        "code": "AFC-508",
        "severity": "warning",
        "title": "`<text>` determines the Secret of `<cluster>`",
        "cause": "Two GitOpsClusters import a cluster into one Argo CD with different service accounts, or one of them with argocd-agent; that of Argo CD’s own namespace decides first.",
        "check": "The finding names both GitOpsClusters; compare their `spec.managedServiceAccountRef` and `spec.gitopsAddon`.",
        "fix": "Give both the same `managedServiceAccountRef` and `gitopsAddon.argoCDAgent`."
      },
      {
        "code": "AFC-509",
        "severity": "warning",
        "title": "The `<kind>` has another owner",
        "cause": "The generator’s ConfigMap, or our Role or RoleBinding for it, has unexpected contents, and the plugin did not create it.",
        "check": "`kubectl get <kind> <name> -n <namespace> -o yaml` on the hub shows what it contains.",
        "fix": "Delete it to have it created again."
      },
      {
        "code": "AFC-510",
        "severity": "error",
        "title": "`<resources>` of `<namespace>` cannot be read",
        "cause": "The backend’s user may not read a resource in an Argo CD namespace. What depends on it is not written or removed, for this GitOpsCluster only.",
        "check": "`kubectl auth can-i list <resource> -n <namespace>`, as the backend’s user on the hub, answers no.",
        "fix": "Apply `deploy/rbac/argocd-namespace` with `--namespace`."
      },
      {
        "code": "AFC-511",
        "severity": "info",
        "title": "No GitOpsClusters on hub `<hub>`",
        "cause": "The hub has no resource GitOpsCluster; there is nothing to import.",
        "check": "`kubectl api-resources --api-group=apps.open-cluster-management.io` on the hub does not list GitOpsCluster.",
        "fix": "Nothing, or set `argocdFleet.controllers.clusterImport.mode: off`."
      },
      {
        "code": "AFC-512",
        "severity": "error",
        "title": "Illegal name of the token of `<cluster>`",
        "cause": "The ManagedServiceAccount names a Secret that cannot exist, so its token is not read.",
        "check": "`kubectl get managedserviceaccount <name> -n <cluster> -o jsonpath='{.status.tokenSecretRef}'` on the hub has the name.",
        "fix": "Find out who changed `status.tokenSecretRef`: the add-on of the cluster writes it."
      },
      {
        "code": "AFC-513",
        "severity": "error",
        "title": "`<namespace>` may not import clusters into `<namespace>`",
        "cause": "A GitOpsCluster names the Argo CD of another namespace than its own, and the configuration does not permit that. Secrets that exist stay.",
        "check": "Compare the namespace of the GitOpsCluster with its `spec.argoServer.argoNamespace`.",
        "fix": "Permit it in `argocdFleet.clusterImport.argocdNamespaces`."
      },
      {
        "code": "AFC-514",
        "severity": "error",
        "title": "The address that `<cluster>` reports is refused",
        "cause": "For the push model, the cluster reports an address that is not https, or that is another cluster’s, the hub’s (see `argocdFleet.hubs[].addresses`), or one of its machine or services. Its Secret stays unchanged.",
        "check": "The evidence is the address. `kubectl get managedcluster <cluster> -o jsonpath='{.spec.managedClusterClientConfigs}'` on the hub has all of them.",
        "fix": "Correct the address in the klusterlet or the ManagedCluster; otherwise the cluster may be compromised."
      },
      {
        "code": "AFC-515",
        "severity": "error",
        "title": "`<number>` Secrets of the cluster `<cluster>` in `<namespace>`",
        "cause": "Several cluster Secrets of one Argo CD namespace have the name of one cluster; Argo CD refuses every destination of that name.",
        "check": "`kubectl get secrets -n <namespace> -l argocd.argoproj.io/secret-type=cluster` in Argo CD’s namespace on the hub lists them; the finding names those of one cluster.",
        "fix": "Delete the one that is not needed; one that was imported before argocd-agent registered the cluster is removed once only the agent’s Applications have it as destination."
      },
      {
        "code": "AFC-516",
        "severity": "error",
        "title": "`<namespace>` may not get tokens of `<account>`",
        "cause": "A GitOpsCluster names a ManagedServiceAccount that the configuration does not permit for its Argo CD. Nothing is imported for it; Secrets that exist stay.",
        "check": "Compare `spec.managedServiceAccountRef` of the GitOpsCluster with `argocdFleet.clusterImport.managedServiceAccounts`.",
        "fix": "Add it to `argocdFleet.clusterImport.managedServiceAccounts`, or correct the spec."
      }
    ]
  }
];
