import type { User } from '@kubernetes/client-node';

/** At the end only: what comes before it quotes the text. */
const JSON_POSITION = / \(line (\d+) column (\d+)\)$/;

/**
 * Why the credentials of a kubeconfig cannot be used, without the message of the error: that quotes the output of a
 * credential plugin, which is or contains a secret.
 */
export function credentialsProblem(error: unknown, user: User | null): string {
  const code = codeOf(error);
  if (!user?.exec) {
    return `the certificate, key or token is not valid${code && ` (${code})`}`;
  }
  if (code) {
    return `its credential plugin cannot be started (${code})`;
  }
  if (error instanceof SyntaxError) {
    const [, line, column] = JSON_POSITION.exec(error.message) ?? [];
    return `the output of its credential plugin is not JSON${line ? ` (line ${line}, column ${column})` : ''}`;
  }
  return 'its credential plugin failed, or printed no credential. Run it as the user of the backend to see its error';
}

/** A code of Node.js, such as ENOENT; empty where there is none. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
