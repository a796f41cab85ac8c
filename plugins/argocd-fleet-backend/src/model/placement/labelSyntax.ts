import { isObjectName } from 'backstage-plugin-argocd-fleet-common';

/** Longest label value, and longest name part of a label's key. */
export const MAX_LABEL = 63;

const LABEL_TEXT = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** Whether a text can be the value of a label; the empty one can. */
export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= MAX_LABEL && LABEL_TEXT.test(text));
}

/** Whether a text can be the key of a label: a name, with a domain and a slash before it or without. */
export function isLabelKey(text: string): boolean {
  const parts = text.split('/');
  const name = parts.pop() ?? '';
  return (
    name !== '' &&
    isLabelValue(name) &&
    parts.length <= 1 &&
    parts.every(isObjectName)
  );
}
