import { isObjectName } from 'backstage-plugin-argocd-fleet-common';

/** What a command has in place of a text that is no name; quoted, so that a shell does not redirect. */
const PLACEHOLDER = "'<name>'";

/**
 * A name as one word of a POSIX shell's command line. A text that does not pass as a Kubernetes name never gets into a
 * command: it could be an option, or read as something else than it is.
 */
export function shellWord(name: string): string {
  return isObjectName(name) ? name : PLACEHOLDER;
}
