import { screen, within } from '@testing-library/react';

// These find elements by label or text, which is much quicker than by role and name: jsdom computes the style of each
// element that a query by name looks at.

/** The URL that the page has set, path and query. */
export const currentUrl = () =>
  screen.getByLabelText('current URL').textContent;

/** Names on the buttons that open the rows of the page, from top to bottom. */
export const clusters = () =>
  screen.getAllByLabelText(/: show details$/).map(button => button.textContent);

/** The button that opens a row. */
export const opener = (name: string) =>
  screen.getByLabelText(`${name}: show details`);

/** The button that filters by a state; the words are those below its number. */
export const tile = (words: RegExp) =>
  within(screen.getByLabelText('Filter by state'))
    .getByText(words)
    .closest('button')!;
