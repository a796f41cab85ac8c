/** Maximum length of most object names, in characters. */
const MAX_NAME = 253;
/** Maximum length of a namespace's name and of a label value, in characters. */
const MAX_LABEL = 63;

/** Whether a name is valid for a custom resource (RFC 1123 subdomain). @public */
export function isObjectName(name: string): boolean {
  return (
    name.length <= MAX_NAME &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(
      name,
    )
  );
}

/** Whether a name is valid for a namespace (RFC 1123 label). @public */
export function isNamespaceName(name: string): boolean {
  return (
    name.length <= MAX_LABEL && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)
  );
}

/**
 * Cuts a name to a valid label value: at most 63 characters, the last of them alphanumeric.
 * @public
 */
export function labelValue(name: string): string {
  return name
    .slice(0, MAX_LABEL)
    .replace(/(?<![^A-Za-z0-9])[^A-Za-z0-9]+$/, '');
}
