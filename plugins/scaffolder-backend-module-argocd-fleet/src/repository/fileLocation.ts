/** Where a file is in a repository. */
export interface FileLocation {
  /** Address of the repository, for Git. */
  readonly cloneUrl: string;
  readonly branch: string;
  /** Below the root of the repository. */
  readonly path: string;
}

/** Between a repository's page and the branch of a file, on GitHub, GitLab, Gitea and Bitbucket Cloud. */
const MARKERS = [
  '/-/blob/',
  '/-/tree/',
  '/src/branch/',
  '/blob/',
  '/tree/',
  '/src/',
];

/**
 * Reads the location of a catalog file, as the annotation `backstage.io/managed-by-location` has it. A branch with a slash
 * cannot be told from a folder, and is not found.
 * @returns undefined for a file that is in no repository of these hosts
 */
export function readFileLocation(
  location: string | undefined,
): FileLocation | undefined {
  const url = /^url:(https?:\/\/.+)$/.exec(location ?? '')?.[1];
  const [marker, start] = MARKERS.map(
    each => [each, url?.indexOf(each) ?? -1] as const,
  ).reduce((first, each) =>
    each[1] >= 0 && (first[1] < 0 || each[1] < first[1]) ? each : first,
  );
  if (!url || start < 0) {
    return undefined;
  }
  const page = url.slice(0, start);
  const rest = url.slice(start + marker.length).split(/[?#]/)[0];
  const [branch, ...path] = rest.split('/');
  return branch && path.length > 0 && path.every(Boolean)
    ? { cloneUrl: `${page}.git`, branch, path: path.join('/') }
    : undefined;
}
