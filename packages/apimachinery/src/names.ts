const SUBDOMAIN =
  /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Why a name is not a DNS-1123 subdomain, in Kubernetes' words; undefined when it is one. */
export function subdomainProblem(name: string): string | undefined {
  if (name.length > 253) {
    return 'must be no more than 253 characters';
  }
  if (!SUBDOMAIN.test(name)) {
    return "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
  }
  return undefined;
}

/** Why a name is not a DNS-1123 label, as names of namespaces must be. */
export function labelNameProblem(name: string): string | undefined {
  if (name.includes('.')) {
    return 'must not contain dots';
  }
  if (name.length > 63) {
    return 'must be no more than 63 characters';
  }
  if (!LABEL.test(name)) {
    return "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
  }
  return undefined;
}

/** Why a name cannot be a segment of a URL path, as names of RBAC objects must be. */
export function pathSegmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') {
    return `may not be '${name}'`;
  }
  for (const illegal of ['/', '%']) {
    if (name.includes(illegal)) {
      return `may not contain '${illegal}'`;
    }
  }
  return undefined;
}

/** Why a label key, annotation key or finalizer is not valid. Kubernetes' message for label keys has another `what`. */
export function qualifiedNameProblem(
  key: string,
  what = 'a qualified name',
): string | undefined {
  const parts = key.split('/');
  const name = parts.length === 2 ? parts[1] : parts[0];
  if (parts.length > 2) {
    return `${what} must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  if (parts.length === 2) {
    if (!parts[0]) {
      return 'prefix part must be non-empty';
    }
    const problem = subdomainProblem(parts[0]);
    if (problem) {
      return `prefix part ${problem}`;
    }
  }
  if (!name) {
    return 'name part must be non-empty';
  }
  if (name.length > 63) {
    return 'name part must be no more than 63 bytes';
  }
  if (!QUALIFIED_NAME.test(name)) {
    return "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  }
  return undefined;
}

/** Why a label value is not valid. */
export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) {
    return 'must be no more than 63 bytes';
  }
  if (!LABEL_VALUE.test(value)) {
    return "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  }
  return undefined;
}
