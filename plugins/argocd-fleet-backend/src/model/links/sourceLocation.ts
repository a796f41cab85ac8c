import {
  parseRepositoryAddress,
  pathSegments,
  type RepositoryAddress,
} from './repositoryAddress';

/** A repository that a source location may mean. Where the repository's name ends is not in every URL. */
export interface LocatedRepository {
  readonly repository: RepositoryAddress;
  /** Branch, tag or commit and the path in the repository, as far as the URL does not tell them apart. */
  readonly after: readonly string[];
  /** Whether `after` begins with a branch, tag or commit. */
  readonly hasRevision: boolean;
}

const BITBUCKET_CLOUD = ['src'];

/** What comes between the repository and the revision in the URLs of source control hosts. */
const MARKERS: readonly (readonly string[])[] = [
  // GitLab
  ['-', 'tree'],
  ['-', 'blob'],
  ['-', 'raw'],
  ['-', 'edit'],
  // GitHub
  ['tree'],
  ['blob'],
  ['raw'],
  ['edit'],
  // Gitea
  ['src', 'branch'],
  ['src', 'tag'],
  ['src', 'commit'],
  BITBUCKET_CLOUD,
];
/** Of these, the last segment is a file. */
const FILE_MARKERS = new Set(['blob', 'raw', 'edit']);

/** More segments than any URL of a host has. */
const MAX_SEGMENTS = 64;

/**
 * The repositories that an entity's source location (`backstage.io/source-location`) may mean, each with the path in it.
 * Only those that exist matter to the caller, who knows the repositories of ApplicationSets.
 * @param location - as in the annotation, for example `url:https://github.com/acme/shop/tree/main/cart/`
 */
export function parseSourceLocation(location: string): LocatedRepository[] {
  const address = /^url:(.+)$/.exec(location.trim())?.[1];
  if (address === undefined) {
    return [];
  }
  const [, withoutQuery, query = ''] =
    /^([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s.exec(address) ?? [];
  const parts = new URLSearchParams(query);
  const whole = withoutQuery && parseRepositoryAddress(withoutQuery);
  if (!whole) {
    return [];
  }
  if (whole.host === 'dev.azure.com') {
    const path = pathSegments(parts.get('path') ?? '');
    return path ? [located(whole, path)] : [];
  }
  // The segments as they are written: of a host that ignores case, only the repository's name is without.
  const segments = pathSegments(pathOf(withoutQuery));
  if (!segments || segments.length > MAX_SEGMENTS) {
    return [];
  }
  const markers = whole.host === 'bitbucket.org' ? [BITBUCKET_CLOUD] : MARKERS;
  const found = [located(whole, [])];
  for (let length = 1; length < segments.length; length += 1) {
    const rest = segments.slice(length);
    const marker = markers.find(words =>
      words.every((word, index) => rest[index] === word),
    );
    if (marker && rest.length > marker.length) {
      const after = rest.slice(
        marker.length,
        FILE_MARKERS.has(marker[marker.length - 1]) ? -1 : undefined,
      );
      found.push({
        repository: { ...whole, path: whole.path.slice(0, length) },
        after: withoutRefs(after),
        hasRevision: true,
      });
    }
  }
  return [...found, ...bitbucketServer(whole, segments)];
}

function located(
  repository: RepositoryAddress,
  after: readonly string[],
): LocatedRepository {
  return { repository, after, hasRevision: false };
}

/** The path of an address, in the form of a URL or of scp. */
function pathOf(address: string): string {
  return (
    /^[a-z0-9+.-]+:\/\/[^/]*(\/.*)?$/is.exec(address)?.[1] ??
    address.slice(address.indexOf(':') + 1)
  );
}

/** GitHub also accepts `tree/refs/heads/main`. */
function withoutRefs(after: readonly string[]): readonly string[] {
  return after[0] === 'refs' && (after[1] === 'heads' || after[1] === 'tags')
    ? after.slice(2)
    : after;
}

/**
 * Bitbucket Server shows a repository at `/projects/<key>/repos/<name>/browse/<path>` (`/users/<name>/repos/…` for a
 * user's own), and clones it from `/scm/<key>/<name>.git` and, by SSH, from `/<key>/<name>.git`.
 */
function bitbucketServer(
  whole: RepositoryAddress,
  segments: readonly string[],
): LocatedRepository[] {
  const at = segments.findIndex(
    (segment, index) =>
      (segment === 'projects' || segment === 'users') &&
      segments[index + 2] === 'repos',
  );
  const [owners, owner, , name, browse, ...after] =
    at < 0 ? [] : segments.slice(at);
  if (!name || (browse !== undefined && browse !== 'browse')) {
    return [];
  }
  const key = owners === 'users' ? `~${owner}` : owner;
  // People write keys of projects in capital letters in the browser, and in lower case to clone.
  return [...new Set([key, key.toLowerCase(), key.toUpperCase()])].flatMap(
    written => [
      located(
        {
          ...whole,
          path: [...segments.slice(0, at), 'scm', written, name],
        },
        after,
      ),
      located({ ...whole, path: [written, name] }, after),
    ],
  );
}

/**
 * The path in the repository.
 * @param revision - what an ApplicationSet wants of the repository: a branch with slashes in its name ends there
 */
export function pathInRepository(
  { after, hasRevision }: LocatedRepository,
  revision: string | undefined,
): readonly string[] {
  if (!hasRevision) {
    return after;
  }
  const named = withoutRefs((revision ?? '').split('/'));
  const isNamed =
    named.length > 1 && named.every((part, index) => after[index] === part);
  return after.slice(isNamed ? named.length : 1);
}
