import { execFileSync, spawnSync } from 'node:child_process';

/** Who makes the commits of this server. */
export const COMMITTER: NodeJS.ProcessEnv = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap(role => [
    [`GIT_${role}_NAME`, 'Git server'],
    [`GIT_${role}_EMAIL`, 'git-server@localhost'],
  ]),
);

/**
 * The environment of every git process: nothing of the user's own configuration, hooks or credentials has a part in it.
 */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/**
 * Runs git in a bare repository and returns what it prints. It blocks: the callers keep what they read, so that this is a
 * few milliseconds after each push.
 * @throws Error with git's own message
 */
export function git(
  directory: string,
  args: readonly string[],
  input?: string,
  environment: NodeJS.ProcessEnv = {},
): Buffer {
  try {
    return execFileSync('git', ['--git-dir', directory, ...args], {
      env: { ...gitEnvironment(), ...environment },
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new Error(`git ${args[0]}: ${stderr?.toString().trim() || message}`);
  }
}

/**
 * As {@link git}, for a command whose failure is an answer.
 * @returns whether it succeeded, and what it prints
 */
export function gitStatus(
  directory: string,
  args: readonly string[],
): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, error } = spawnSync(
    'git',
    ['--git-dir', directory, ...args],
    { env: gitEnvironment(), encoding: 'utf8' },
  );
  if (error) {
    throw error;
  }
  return { ok: status === 0, output: stdout };
}

/** @throws Error that says what to do where there is no git on this machine */
export function requireGit(): void {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      'The Git server needs the program git, which is not on this machine. Install it (https://git-scm.com/downloads), or run without the Git server.',
    );
  }
}
