import { createListSplitter } from './listSplitter';

/** The list in chunks of so many bytes, split. */
function split(list: unknown, chunkBytes: number) {
  const bytes = Buffer.from(JSON.stringify(list, undefined, 1));
  const splitter = createListSplitter(10_000);
  const items: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    items.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
  }
  return {
    items: items.map(text => JSON.parse(text)),
    rest: JSON.parse(splitter.rest()),
  };
}

describe('the text of a list', () => {
  const metadata = { resourceVersion: '7', continue: 'ab]}"\\' };

  it.each([1, 2, 3, 7, 10_000])(
    'is split into its items and the rest, in chunks of %d bytes',
    chunkBytes => {
      const items = [
        { metadata: { name: 'plain' } },
        { text: 'brackets ]}[{ "quotes" \\ größer 😀', list: [[{}], []] },
        {},
      ];
      expect(
        split({ kind: 'WidgetList', items, metadata }, chunkBytes),
      ).toEqual({ items, rest: { kind: 'WidgetList', items: [], metadata } });
      expect(split({ metadata, items }, chunkBytes)).toEqual({
        items,
        rest: { metadata, items: [] },
      });
    },
  );

  it.each([{ items: [] }, { items: null }, {}, [], 'text', null])(
    'has no items where it is %j',
    list => {
      expect(split(list, 3)).toEqual({ items: [], rest: list });
    },
  );

  it('may have much more than one item may, but not without an end', () => {
    const splitter = createListSplitter(100);
    const item = Buffer.from(`{"a":"${'x'.repeat(80)}"},`);
    splitter.push(Buffer.from('{"items":['));
    for (let pushed = 0; pushed < 8; pushed += 1) {
      expect(splitter.push(item)).toHaveLength(1);
    }
    expect(() => splitter.push(item)).toThrow('more than 800 bytes');
  });

  it.each(['{"items":[{"a":"', '{"metadata":"'])(
    'fails where a part begins with %s and does not end',
    begin => {
      const splitter = createListSplitter(100);
      splitter.push(Buffer.from(begin));
      expect(() => splitter.push(Buffer.alloc(101, 'x'))).toThrow(
        'more than 100 bytes',
      );
    },
  );
});
