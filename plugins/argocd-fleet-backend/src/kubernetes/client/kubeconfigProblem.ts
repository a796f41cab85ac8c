import { parseDocument } from 'yaml';
import { errorMessage } from './errorMessage';

/** Messages of the library that quote nothing of the file. */
const MISSING = /^(clusters|users|contexts)\[\d+\](\.\w+)* is missing$/;
const DUPLICATE = /^Duplicate (cluster|user|context): /;

/**
 * Why a kubeconfig cannot be parsed: a reason, the line and the column. Messages of YAML parsers quote the text, which
 * contains tokens and keys.
 * @param error - what the library threw
 */
export function kubeconfigProblem(text: string, error: unknown): string {
  const [first] = parseDocument(text).errors;
  if (first) {
    const [position] = first.linePos ?? [];
    return [
      first.code.toLowerCase().replaceAll('_', ' '),
      ...(position ? [`line ${position.line}`, `column ${position.col}`] : []),
    ].join(', ');
  }
  const message = errorMessage(error);
  const duplicate = DUPLICATE.exec(message)?.[1];
  if (duplicate) {
    return `two entries of ${duplicate}s have the same name`;
  }
  return MISSING.test(message) ? message : 'it is not a kubeconfig';
}
