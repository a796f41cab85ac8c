/** A repository, or the beginning of repositories' addresses, in parts that can be compared. */
interface Repository {
  /** Scheme, user name of SSH, host and port that is not the scheme's own. */
  readonly server: string;
  readonly path: readonly string[];
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  https: '443',
  http: '80',
  ssh: '22',
  oci: '443',
};

/**
 * Deliberately narrower than what Git accepts: no percent-encoding, backslash, query, control character or letter
 * outside ASCII. What is compared here is read again by Argo CD and Git, and must mean the same to them.
 */
const ADDRESS =
  /^(?<scheme>[a-z]+):\/\/(?:(?<user>[^/@]*)@)?(?<host>[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)(?::(?<port>[0-9]{1,5}))?(?<path>\/[-._~+A-Za-z0-9/]*)?$/;
const SCP_LIKE = /^(?<user>[^/@:]+)@(?<host>[^/@:]+):(?!\/\/)(?<path>.+)$/;
const USER = /^[a-z][-a-z0-9_]*$/;

/** Longest address that is looked at. */
const MAX_LENGTH = 2_048;

/** How a repository can be written, for messages. */
const HELP =
  'write it like https://git.example.com/team/app.git, ssh://git@git.example.com/team/app.git, git@git.example.com:team/app.git or oci://registry.example.com/charts';

/**
 * Why an address of a repository is none that can be allowed; undefined where it is one.
 * @public
 */
export function repositoryProblem(address: string): string | undefined {
  const parsed = parseRepository(address);
  return typeof parsed === 'string' ? parsed : undefined;
}

/**
 * Whether a repository is one of the given, or below one. Scheme, user name of SSH, host and port must be the same; of
 * the path, whole segments: `https://github.com/acme` covers `https://github.com/acme/app.git` and not
 * `https://github.com/acme-evil/app`. `.git` at the end makes no difference, the case of the host neither.
 * @public
 */
export function isInRepositories(
  allowed: readonly string[],
  address: string,
): boolean {
  const wanted = parseRepository(address);
  return (
    typeof wanted !== 'string' &&
    allowed.some(prefix => {
      const given = parseRepository(prefix);
      return (
        typeof given !== 'string' &&
        given.server === wanted.server &&
        given.path.every((segment, index) => wanted.path[index] === segment)
      );
    })
  );
}

/** The parts of an address, or why it is none. */
function parseRepository(address: string): Repository | string {
  if (address.length > MAX_LENGTH) {
    return `is longer than ${MAX_LENGTH} characters`;
  }
  const scp = SCP_LIKE.exec(address)?.groups;
  const text = scp
    ? `ssh://${scp.user}@${scp.host}/${scp.path.replace(/^\//, '')}`
    : address;
  const match = ADDRESS.exec(lowerCaseServer(text))?.groups;
  if (!match) {
    return `is no address that can be compared: ${HELP}, with plain letters, digits and - . _ ~ + only`;
  }
  const { scheme, user, host, port, path = '' } = match;
  if (!(scheme in DEFAULT_PORTS)) {
    return `has the scheme ${scheme}: ${HELP}`;
  }
  if (user !== undefined && scheme !== 'ssh') {
    return 'has a user name: remove it, and give Argo CD the credentials';
  }
  if (user !== undefined && !USER.test(user)) {
    return 'has a password, or a user name that is none: write ssh://git@…, and give Argo CD the credentials';
  }
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const last = segments.length - 1;
  segments[last] = segments[last].replace(/\.git$/, '');
  const named = path === '' || path === '/' ? [] : segments;
  if (named.some(segment => /^\.*$/.test(segment))) {
    return 'has an empty or dot segment in its path: write the path as it is on the server';
  }
  const ownPort = port && port !== DEFAULT_PORTS[scheme] ? `:${port}` : '';
  return {
    server: `${scheme}://${user === undefined ? '' : `${user}@`}${host}${ownPort}`,
    path: named,
  };
}

/** Scheme and host have no case; a path has. A user name keeps its case too. */
function lowerCaseServer(text: string): string {
  const [, scheme, user = '', host, rest] =
    /^([A-Za-z]+:\/\/)([^/@]*@)?([^/]*)(.*)$/s.exec(text) ?? [];
  return scheme === undefined
    ? text
    : `${scheme.toLowerCase()}${user}${host.toLowerCase()}${rest}`;
}
