import { isObjectName } from 'backstage-plugin-argocd-fleet-common';

/**
 * A value as one word of a POSIX shell's command line. Names stand as they are; anything else is quoted, and loses the control
 * characters, with which a terminal could be made to run what is only being pasted.
 */
export function shellWord(value: string): string {
  return isObjectName(value)
    ? value
    : `'${value.replace(/\p{Cc}/gu, '').replaceAll("'", `'\\''`)}'`;
}
