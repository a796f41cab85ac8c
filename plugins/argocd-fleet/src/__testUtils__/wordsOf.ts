/** What is read in an element, without what Backstage's links say of themselves. */
export function wordsOf(element: HTMLElement): string {
  return (element.textContent ?? '').replaceAll(', Opens in a new window', '');
}
