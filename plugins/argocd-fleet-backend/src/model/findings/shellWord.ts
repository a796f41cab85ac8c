import { isObjectName } from 'backstage-plugin-argocd-fleet-common';

/**
 * A value as one word of a POSIX shell's command line. Names stay as they are. Other values are quoted and lose their
 * control characters, which could make a terminal run text that is only being pasted.
 */
export function shellWord(value: string): string {
  return isObjectName(value)
    ? value
    : `'${value.replace(/\p{Cc}/gu, '').replaceAll("'", `'\\''`)}'`;
}
