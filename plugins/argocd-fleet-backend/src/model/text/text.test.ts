import { mapTexts } from './mapTexts';
import { shownRepositoryUrl } from './repositoryUrl';
import { MAX_TEXT_BYTES, shownText } from './shownText';

describe('a text that is shown', () => {
  it.each(['a', 'é', '€', '😀', 'a😀', 'aé€😀'])(
    'is cut between two characters, with a mark: %s',
    characters => {
      const text = characters.repeat(60_000);
      const shown = shownText(text);
      const kept = shown.replace('… [cut]', '');
      expect(shown).toBe(`${kept}… [cut]`);
      expect(text.startsWith(kept)).toBe(true);
      expect(Buffer.from(shown).toString()).toBe(shown);
      const bytes = Buffer.byteLength(shown);
      expect(bytes).toBeLessThanOrEqual(MAX_TEXT_BYTES);
      expect(bytes).toBeGreaterThan(MAX_TEXT_BYTES - 4);
      expect(shownText(shown)).toBe(shown);
    },
  );

  it('is whole up to the bound', () => {
    const text = 'é'.repeat(MAX_TEXT_BYTES / 2);
    expect(shownText(text)).toBe(text);
    expect(shownText(`${text}x`)).toMatch(/é… \[cut\]$/);
  });

  it.each([
    ['\u202Egpj.exe', '\uFFFDgpj.exe'],
    ['a\u2066b\u2069\u200E\u200F\u061C', 'a\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD'],
    ['\u001B[31mred\u0007\u009B', '\uFFFD[31mred\uFFFD\uFFFD'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['Größe 😀 שלום', 'Größe 😀 שלום'],
  ])('has no invisible control characters: %j', (text, shown) => {
    expect(shownText(text)).toBe(shown);
  });

  it.each([
    [
      'failed to clone https://user:secret@git.example/x.git: timeout',
      'failed to clone https://git.example/x.git: timeout',
    ],
    ['ssh://git:secret@git.example/x', 'ssh://git@git.example/x'],
    [
      '"https://git.example/x?private_token=secret&ref=a": EOF',
      '"https://git.example/x?…": EOF',
    ],
    [
      'Get https://git.example/x?service=git-upload-pack: EOF',
      'Get https://git.example/x?…: EOF',
    ],
    [
      'https://secret@a.example/1 https://u:secret@b.example/2?k=secret#x',
      'https://a.example/1 https://b.example/2?…',
    ],
    ['write to admin@git.example', 'write to admin@git.example'],
    ['https://git.example/a@b', 'https://git.example/a@b'],
  ])('has no secrets of URLs: %s', (text, shown) => {
    expect(shownText(text)).toBe(shown);
    expect(shownText(shown)).toBe(shown);
  });
});

it('shows the URL of a repository without anything that may be secret', () => {
  expect(
    shownRepositoryUrl(
      'https://u:secret@git.example/x.git?token=secret#secret',
    ),
  ).toBe('https://git.example/x.git');
  expect(shownRepositoryUrl('git@git.example:x/y.git')).toBe(
    'git@git.example:x/y.git',
  );
});

it('maps the texts of a value, and keeps the parts that do not change', () => {
  const kept = { name: 'a', list: ['b', 1, null, true] };
  const value = { kept, texts: ['x', { y: 'x' }] };
  const mapped = mapTexts(value, text => (text === 'x' ? 'z' : text));
  expect(mapped).toEqual({ kept, texts: ['z', { y: 'z' }] });
  expect(mapped.kept).toBe(kept);
  expect(value.texts).toEqual(['x', { y: 'x' }]);
  expect(mapTexts(value, text => text)).toBe(value);
});
