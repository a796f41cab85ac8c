/** Argo CD's finalizers end in `/<kind of deletion>` or in nothing. */
const RESOURCES = 'resources-finalizer.argocd.argoproj.io';
const POST_DELETE = 'post-delete-finalizer.argocd.argoproj.io';

/** Whether the deletion of an Application with these finalizers deletes what it deployed. */
export function deletesWorkload(finalizers: readonly string[] = []): boolean {
  return finalizers.some(name => isForm(name, RESOURCES));
}

/** The finalizers that Argo CD does not remove, because they are not its own. */
export function foreignFinalizers(
  finalizers: readonly string[] = [],
): readonly string[] {
  return finalizers.filter(
    name => !isForm(name, RESOURCES) && !isForm(name, POST_DELETE),
  );
}

function isForm(finalizer: string, name: string): boolean {
  return finalizer === name || finalizer.startsWith(`${name}/`);
}
