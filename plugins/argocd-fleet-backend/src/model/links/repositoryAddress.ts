// Which repository does an address mean? The same one has many: https, ssh, the form of scp, with or without `.git`, a
// port, a user. What is compared here only links a page with what it may show: two addresses count as the same where the
// server and the path are, and never because they look alike. Whether Argo CD may be given an address is another
// question, which `isInRepositories` answers much more strictly.

/** A repository, in parts that can be compared. */
export interface RepositoryAddress {
  /** Git or OCI: they never are the same repository. */
  readonly kind: 'git' | 'oci';
  readonly transport: 'web' | 'ssh';
  /** In lower case. */
  readonly host: string;
  /** Empty for the transport's own. */
  readonly port: string;
  /** Segments without `.git`; in lower case where the server ignores case. */
  readonly path: readonly string[];
}

/** Longest address that is read. */
const MAX_LENGTH = 2_048;

const URL_FORM =
  /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?(?<host>[^/?#@:]+)(?::(?<port>\d{1,5}))?(?<path>\/[^?#]*)?$/i;
const SCP_FORM =
  /^(?:[^/?#@:]+@)?(?<host>[^/?#@:]{2,}):(?!\/\/)(?<path>[^?#]+)$/;
const HOST =
  /^[a-z0-9](?:[-a-z0-9_]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9_]*[a-z0-9])?)*$/;

// Maps: an object would also have what every object inherits, such as `constructor`.
const SCHEMES: ReadonlyMap<
  string,
  Pick<RepositoryAddress, 'kind' | 'transport'> & { port: string }
> = new Map([
  ['https', { kind: 'git', transport: 'web', port: '443' }],
  ['http', { kind: 'git', transport: 'web', port: '80' }],
  ['ssh', { kind: 'git', transport: 'ssh', port: '22' }],
  ['git+ssh', { kind: 'git', transport: 'ssh', port: '22' }],
  ['oci', { kind: 'oci', transport: 'web', port: '443' }],
]);

/** Further names of a server, mostly for SSH where port 22 is closed. */
const SAME_SERVER: ReadonlyMap<string, string> = new Map([
  ['www.github.com', 'github.com'],
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);

/** Servers on which no two repositories differ in case only. */
const CASELESS = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'dev.azure.com',
]);

/** Reads the address of a repository, as Argo CD and Git do; undefined where it is none that can be compared. */
export function parseRepositoryAddress(
  address: string,
): RepositoryAddress | undefined {
  if (address.length > MAX_LENGTH || /[\s\\\p{Cc}]/u.test(address)) {
    return undefined;
  }
  const url = URL_FORM.exec(address)?.groups;
  const scp = url ? undefined : SCP_FORM.exec(address)?.groups;
  if (scp && !address.includes('://')) {
    return onServer({ kind: 'git', transport: 'ssh' }, scp.host, '', scp.path);
  }
  const scheme = SCHEMES.get(url?.scheme.toLowerCase() ?? '');
  if (!url || !scheme) {
    return undefined;
  }
  const port = url.port === scheme.port ? '' : (url.port ?? '');
  return onServer(scheme, url.host, port, url.path ?? '');
}

function onServer(
  { kind, transport }: Pick<RepositoryAddress, 'kind' | 'transport'>,
  writtenHost: string,
  writtenPort: string,
  writtenPath: string,
): RepositoryAddress | undefined {
  const host = writtenHost.toLowerCase().replace(/\.$/, '');
  const path = pathSegments(writtenPath);
  if (!HOST.test(host) || !path) {
    return undefined;
  }
  const same = SAME_SERVER.get(host);
  const azure = azurePath(host, path);
  const named = azure ?? withoutGit(path);
  const server = azure ? 'dev.azure.com' : (same ?? host);
  return named.length > 0
    ? {
        kind,
        transport,
        host: server,
        // The port of a further name is that name's own.
        port: same || azure ? '' : writtenPort,
        path: CASELESS.has(server)
          ? named.map(segment => segment.toLowerCase())
          : named,
      }
    : undefined;
}

/**
 * The segments of a path, decoded. Undefined where one is empty, a dot segment, or decodes to something that is no
 * segment.
 */
export function pathSegments(path: string): string[] | undefined {
  const parts = path.split('/');
  const first = parts.findIndex(part => part !== '');
  const last = parts.findLastIndex(part => part !== '');
  const segments = first < 0 ? [] : parts.slice(first, last + 1).map(decoded);
  return segments.every(isSegment) ? segments : undefined;
}

function isSegment(segment: string | undefined): segment is string {
  return (
    segment !== undefined &&
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    !/[/\\\p{Cc}]/u.test(segment)
  );
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    // A percent sign that encodes nothing.
    return undefined;
  }
}

function withoutGit(path: readonly string[]): string[] {
  return path.map((segment, index) =>
    index === path.length - 1 && segment.length > 4
      ? segment.replace(/\.git$/i, '')
      : segment,
  );
}

/**
 * Organisation, project and repository of an address of Azure DevOps, which has four forms; undefined for other hosts.
 * @see https://learn.microsoft.com/en-us/azure/devops/repos/git/clone
 */
function azurePath(
  host: string,
  path: readonly string[],
): string[] | undefined {
  if (host === 'ssh.dev.azure.com' || host === 'vs-ssh.visualstudio.com') {
    return path.length === 4 && path[0].toLowerCase() === 'v3'
      ? path.slice(1)
      : undefined;
  }
  const legacy = /^([^.]+)\.visualstudio\.com$/.exec(host);
  if (host !== 'dev.azure.com' && !legacy) {
    return undefined;
  }
  const isDefault = path[0]?.toLowerCase() === 'defaultcollection';
  const rest = legacy ? [legacy[1], ...path.slice(isDefault ? 1 : 0)] : path;
  const at = rest.indexOf('_git');
  const repository = rest[at + 1];
  // A project's first repository has its name, and may be addressed without the project.
  return (at === 1 || at === 2) && repository && rest.length === at + 2
    ? [rest[0], at === 2 ? rest[1] : repository, repository]
    : undefined;
}

/** What addresses of the same repository have in common; see also {@link isSameServer}. */
export function repositoryKey({ kind, host, path }: RepositoryAddress): string {
  return `${kind}:${host}/${path.join('/')}`;
}

/** Whether two texts are addresses of one repository. */
export function isSameRepository(a: string, b: string): boolean {
  const [first, second] = [a, b].map(parseRepositoryAddress);
  return first && second
    ? repositoryKey(first) === repositoryKey(second) &&
        isSameServer(first, second)
    : a === b;
}

/**
 * Whether two addresses with the same key mean the same repository: a server may have another one on another port, but
 * its ports for SSH and for the web have nothing in common.
 */
export function isSameServer(
  a: RepositoryAddress,
  b: RepositoryAddress,
): boolean {
  return a.transport !== b.transport || a.port === b.port;
}
