/** Longest text of others that a message repeats. */
const MAX_TEXT = 1_000;

/**
 * Words of others as code, so that they neither mention anybody nor look like a part of the text around them. Backstage shows
 * the error of a run as Markdown, and source controls the description of a pull request.
 */
export function code(text: string): string {
  const plain = text
    .replace(/[`|\s]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
  return plain === '' ? '–' : `\`${plain}\``;
}

/** Commands as lines of Markdown, which in a log can be copied as well. */
export function commandLines(command: string): string[] {
  return ['', ...command.split('\n').map(line => `    ${line}`)];
}
