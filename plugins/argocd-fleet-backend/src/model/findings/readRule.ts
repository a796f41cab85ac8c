/** A resource of the Kubernetes API that has to be read. */
export interface ReadResource {
  readonly group: string;
  readonly plural: string;
}

/** The RBAC rule that permits to list and watch a resource, as YAML. */
export function readRule({ group, plural }: ReadResource): string {
  return [
    `- apiGroups: ["${group}"]`,
    `  resources: ["${plural}"]`,
    '  verbs: ["list", "watch"]',
  ].join('\n');
}
