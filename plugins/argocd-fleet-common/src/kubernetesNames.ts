/** Longest name that Kubernetes takes for most objects. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/** Whether Kubernetes takes it as the name of a custom resource (RFC 1123 subdomain). @public */
export function isObjectName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(
      name,
    )
  );
}

/** Whether Kubernetes takes it as the name of a namespace (RFC 1123 label). @public */
export function isNamespaceName(name: string): boolean {
  return (
    name.length <= MAX_LABEL && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)
  );
}

/**
 * The longest beginning of a name that Kubernetes takes as a label value: a plain cut may end in a character that it
 * refuses.
 * @public
 */
export function labelValue(name: string): string {
  return name.slice(0, MAX_LABEL).replace(/[^A-Za-z0-9]+$/, '');
}
