import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMITTER, git } from './git';

export const DEFAULT_BRANCH = 'main';
const LEGAL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const COMMIT = /^[0-9a-f]{40}$/;
/** For git, the commit of a branch that does not exist. */
const NO_COMMIT = '0'.repeat(40);
/** Folders of commits that are kept; a reader asks for the same few. */
const MAX_FOLDERS = 200;

/** A repository of an organization. */
export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** A change of files on a branch. */
export interface FileChange {
  readonly branch: string;
  /** The branch that the commit is put on, made from `branch`; by default `branch` itself. */
  readonly newBranch?: string;
  readonly message: string;
  /** New texts by path; undefined deletes the file. */
  readonly files: Readonly<Record<string, string | undefined>>;
}

/** The bare repositories below one folder. */
export interface GitRepositories {
  /**
   * Creates an empty repository.
   * @returns false if there is one already
   * @throws Error for a name that is none
   */
  create(repository: RepositoryName): boolean;
  has(repository: RepositoryName): boolean;
  list(): RepositoryName[];
  /** The bare repository's folder; undefined if there is none of that name. */
  directoryOf(repository: RepositoryName): string | undefined;
  /** The commit of a branch, a tag, `HEAD` or itself; undefined where the repository has none. */
  resolve(repository: RepositoryName, revision: string): string | undefined;
  /** The texts of all files below a folder of a commit, by their path in the repository; `''` is the root. */
  files(
    repository: RepositoryName,
    commit: string,
    folder: string,
  ): ReadonlyMap<string, string>;
  /**
   * Commits a change of files; the first commit of an empty repository makes its branch.
   * @returns the commit
   * @throws Error where the branch or a file to delete does not exist, the new branch does, or a name is none
   */
  commit(repository: RepositoryName, change: FileChange): string;
  /** Calls the listener after a push has moved branches or tags. */
  onPush(listener: (repository: RepositoryName) => void): void;
  /** To be called after a push: reads branches and tags again. */
  pushed(repository: RepositoryName): void;
}

/** @param folder - holds `<owner>/<name>.git`; it is made where it is absent */
export function createGitRepositories(folder: string): GitRepositories {
  mkdirSync(folder, { recursive: true });
  const listeners: ((repository: RepositoryName) => void)[] = [];
  const revisions = new Map<string, Map<string, string>>();
  const folders = new Map<string, ReadonlyMap<string, string>>();

  function directoryOf({ owner, name }: RepositoryName): string | undefined {
    if (!isLegal(owner) || !isLegal(name)) {
      return undefined;
    }
    const directory = join(folder, owner, `${name}.git`);
    return existsSync(directory) ? directory : undefined;
  }

  function revisionsOf(repository: RepositoryName) {
    const key = keyOf(repository);
    const directory = directoryOf(repository);
    const known = revisions.get(key);
    if (known || !directory) {
      return known;
    }
    const read = readRevisions(directory);
    revisions.set(key, read);
    return read;
  }

  function pushed(repository: RepositoryName) {
    revisions.delete(keyOf(repository));
    listeners.forEach(listener => listener(repository));
  }

  return {
    create(repository) {
      const { owner, name } = repository;
      for (const [what, text] of Object.entries({ owner, name })) {
        if (!isLegal(text)) {
          throw new Error(
            `${what}: ${JSON.stringify(text)} is no name of a repository: use letters, digits and . _ - between them`,
          );
        }
      }
      if (directoryOf(repository)) {
        return false;
      }
      const directory = join(folder, owner, `${name}.git`);
      mkdirSync(directory, { recursive: true });
      git(directory, ['init', '--quiet', '--bare', '-b', DEFAULT_BRANCH]);
      return true;
    },
    has: repository => directoryOf(repository) !== undefined,
    list: () =>
      readdirSync(folder).flatMap(owner =>
        readdirSync(join(folder, owner)).map(name => ({
          owner,
          name: name.replace(/\.git$/, ''),
        })),
      ),
    directoryOf,
    resolve(repository, revision) {
      const known = revisionsOf(repository);
      const directory = directoryOf(repository);
      if (
        known &&
        directory &&
        !known.has(revision) &&
        COMMIT.test(revision) &&
        hasCommit(directory, revision)
      ) {
        // Every cluster asks for the commit of its sync again and again, and git is a process.
        known.set(revision, revision);
      }
      return known?.get(revision);
    },
    files(repository, commit, path) {
      const key = [keyOf(repository), commit, path].join('\n');
      const directory = directoryOf(repository);
      const read =
        folders.get(key) ??
        (directory ? readFiles(directory, commit, path) : new Map());
      folders.delete(key);
      folders.set(key, read);
      for (const oldest of folders.keys()) {
        if (folders.size <= MAX_FOLDERS) {
          break;
        }
        folders.delete(oldest);
      }
      return read;
    },
    commit(repository, change) {
      const directory = directoryOf(repository);
      if (!directory) {
        throw new Error(`There is no repository ${keyOf(repository)}`);
      }
      const commit = commitFiles(directory, change);
      pushed(repository);
      return commit;
    },
    onPush: listener => {
      listeners.push(listener);
    },
    pushed,
  };
}

function isLegal(name: string): boolean {
  return LEGAL_NAME.test(name) && !name.includes('..') && !/\.git$/.test(name);
}

function keyOf({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`;
}

/** The commits by each name that Argo CD accepts for them: branch, tag, full reference, HEAD. */
function readRevisions(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  const lines = git(directory, [
    'for-each-ref',
    // A tag object stands for the commit that it names.
    '--format=%(refname) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)',
    // Branches last: of the same name, they count rather than a tag.
    '--sort=-refname',
    'refs/tags',
    'refs/heads',
  ])
    .toString()
    .split('\n')
    .filter(line => line !== '');
  for (const line of lines) {
    const [reference, commit] = line.split(' ');
    found.set(reference, commit);
    found.set(reference.replace(/^refs\/(heads|tags)\//, ''), commit);
  }
  const head = found.get(`refs/heads/${DEFAULT_BRANCH}`);
  if (head) {
    found.set('HEAD', head);
  }
  return found;
}

function hasCommit(directory: string, commit: string): boolean {
  return !git(directory, ['cat-file', '--batch-check'], `${commit}^{commit}\n`)
    .toString()
    .includes('missing');
}

function commitFiles(
  directory: string,
  { branch, newBranch = branch, message, files }: FileChange,
): string {
  const known = readRevisions(directory);
  const parent = known.get(`refs/heads/${branch}`);
  if (!parent && known.size > 0) {
    throw new Error(`There is no branch ${branch}`);
  }
  if (newBranch !== branch && known.has(`refs/heads/${newBranch}`)) {
    throw new Error(`There is a branch ${newBranch} already`);
  }
  git(directory, ['check-ref-format', '--branch', newBranch]);
  const index = mkdtempSync(join(tmpdir(), 'git-server-index-'));
  const environment = {
    GIT_INDEX_FILE: join(index, 'index'),
    ...COMMITTER,
  };
  const run = (args: readonly string[], input?: string) =>
    git(directory, args, input, environment).toString().trim();
  try {
    if (parent) {
      run(['read-tree', parent]);
    }
    for (const [path, text] of Object.entries(files)) {
      if (text === undefined) {
        if (run(['ls-files', '--', path]) === '') {
          throw new Error(`There is no file ${path} on the branch ${branch}`);
        }
        run(['rm', '--cached', '--quiet', '--', path]);
      } else {
        const object = run(['hash-object', '-w', '--stdin'], text);
        run(['update-index', '--add', '--cacheinfo', '100644', object, path]);
      }
    }
    const tree = run(['write-tree']);
    const parents = parent ? ['-p', parent] : [];
    const commit = run(['commit-tree', tree, ...parents, '-m', message]);
    const expected = newBranch === branch && parent ? parent : NO_COMMIT;
    run(['update-ref', `refs/heads/${newBranch}`, commit, expected]);
    return commit;
  } finally {
    rmSync(index, { recursive: true });
  }
}

function readFiles(
  directory: string,
  commit: string,
  folder: string,
): ReadonlyMap<string, string> {
  const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  const paths: string[] = [];
  const objects: string[] = [];
  for (const line of git(directory, ['ls-tree', '-r', '-z', commit])
    .toString()
    .split('\0')) {
    const [entry, path = ''] = line.split('\t');
    const [, type, object] = entry.split(' ');
    if (type === 'blob' && (path.startsWith(prefix) || path === folder)) {
      paths.push(path);
      objects.push(object);
    }
  }
  const output = git(
    directory,
    ['cat-file', '--batch'],
    objects.map(object => `${object}\n`).join(''),
  );
  const files = new Map<string, string>();
  let position = 0;
  for (const path of paths) {
    // Each object: `<id> blob <bytes>`, a new line, its bytes, a new line.
    const end = output.indexOf('\n', position);
    const bytes = Number(
      output.subarray(position, end).toString().split(' ')[2],
    );
    files.set(path, output.subarray(end + 1, end + 1 + bytes).toString());
    position = end + 1 + bytes + 1;
  }
  return files;
}
