/** Text of an element, without the text that Backstage adds to links for screen readers. */
export function wordsOf(element: HTMLElement): string {
  return (element.textContent ?? '').replaceAll(', Opens in a new window', '');
}
