import { transitions } from '../../__testUtils__/transitions';
import { withEarlier, withLatest, type TimelinePages } from './timelinePages';

const sequences = ({ items }: TimelinePages) =>
  items.map(({ sequence }) => sequence);

describe('withLatest', () => {
  const known = { items: transitions(6, 3), next: 'before 3' };

  it('starts with the first page', () => {
    const page = { items: transitions(6, 5), next: 'before 5' };
    expect(withLatest(undefined, page)).toBe(page);
  });

  it('adds new transitions before the known ones, and keeps the cursor', () => {
    const pages = withLatest(known, {
      items: transitions(8, 6),
      next: 'before 6',
    });
    expect(sequences(pages)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(pages.next).toBe('before 3');
  });

  it('joins pages that do not overlap but are adjacent', () => {
    const page = { items: transitions(8, 7), next: 'before 7' };
    expect(sequences(withLatest(known, page))).toEqual([8, 7, 6, 5, 4, 3]);
  });

  it('drops the known transitions if some are missing in between', () => {
    const page = { items: transitions(9, 8), next: 'before 8' };
    expect(withLatest(known, page)).toBe(page);
  });

  it('replaces everything by a page without a cursor', () => {
    const page = { items: transitions(2, 1) };
    expect(withLatest(known, page)).toBe(page);
    expect(withLatest(known, { items: [] })).toEqual({ items: [] });
  });
});

describe('withEarlier', () => {
  const known = { items: transitions(6, 4), next: 'before 4' };

  it('appends the page', () => {
    const pages = withEarlier(known, 'before 4', {
      items: transitions(3, 2),
      next: 'before 2',
    });
    expect(sequences(pages)).toEqual([6, 5, 4, 3, 2]);
    expect(pages.next).toBe('before 2');
  });

  it('ignores a page that no longer follows the known ones', () => {
    const page = { items: transitions(1, 1) };
    expect(withEarlier(known, 'before 2', page)).toBe(known);
  });
});
