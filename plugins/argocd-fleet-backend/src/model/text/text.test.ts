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
    ['https://git.example:8443/a@b', 'https://git.example:8443/a@b'],
    ['at https://user:pa/ss@git.example/x', 'at https://git.example/x'],
    ['at https://user:pa?s#s@git.example/x', 'at https://git.example/x'],
    ['https://us@er:pa/ss@git.example/x', 'https://git.example/x'],
    ['ssh://git:pa/ss@git.example/x', 'ssh://git@git.example/x'],
    ['https://[::1]:8443/x@y', 'https://[::1]:8443/x@y'],
    ['https://git.example/#access_token=secret,', 'https://git.example/#…,'],
    ['https://git.example/#readme', 'https://git.example/#readme'],
    ['https://a.example,https://u:secret@b', 'https://a.example,https://b'],
    ['pull user:secret@git.example/x: EOF', 'pull user:…@git.example/x: EOF'],
    ['git@git.example:x/y.git', 'git@git.example:x/y.git'],
    ['image a.example/b:1.0@sha256:12ab', 'image a.example/b:1.0@sha256:12ab'],
  ])('has no secrets of URLs: %s', (text, shown) => {
    expect(shownText(text)).toBe(shown);
    expect(shownText(shown)).toBe(shown);
  });
});

const GITHUB = `ghp_${'aB3'.repeat(12)}`;
const GITLAB = `glpat-${'aB3_'.repeat(5)}`;
const AWS = `AKIA${'AB34'.repeat(4)}`;
const JWT = `eyJ${'hbGci'.repeat(4)}.eyJ${'zdWIi'.repeat(4)}.${'aB-3'.repeat(10)}`;

describe('a text that has a token', () => {
  it.each([
    ['Authorization: Bearer abcdefgh', 'Authorization: Bearer …'],
    ['authorization: basic dXNlcjpzZWNyZXQ=', 'authorization: basic …'],
    ['sent "Bearer 12345678-abc": 401', 'sent "Bearer …": 401'],
    [`remote: ${GITHUB} expired`, 'remote: … expired'],
    [`github_pat_${'a1_'.repeat(20)}`, '…'],
    [`(${GITLAB})`, '(…)'],
    [`key id ${AWS}.`, 'key id ….'],
    [`token ${JWT}, of`, 'token …, of'],
    ['helm --set db.password=secret,x=1', 'helm --set db.password=…,x=1'],
    ['private_token=secret&x=1', 'private_token=…&x=1'],
    ['{"client_secret":"secret","x":1}', '{"client_secret":"…","x":1}'],
    [String.raw`{\"password\": \"secret\"}`, String.raw`{\"password\": \"…\"}`],
  ])('shows it no more: %s', (text, shown) => {
    expect(shownText(text)).toBe(shown);
    expect(shownText(shown)).toBe(shown);
  });

  it.each([
    'invalid bearer token: signature is invalid',
    'needs bearer authentication',
    'Bearer realm="https://auth.example/token",service="x"',
    'argocd.argoproj.io/secret-type=cluster',
    'the token: expired',
    'glance-api at 0123456789abcdef0123456789abcdef01234567',
    'secret "github-token" not found',
  ])('is told from one that is about tokens: %s', text => {
    expect(shownText(text)).toBe(text);
  });

  it('shows it not in part either, however long the text is', () => {
    const secret = 'https://user:secret@git.example ';
    const shown = shownText(secret.repeat(10_000));
    expect(shown).not.toMatch(/user|secret/);
    expect(shown).toMatch(/… \[cut\]$/);
    const first = `${'Bearer 12345678 '.repeat(1_023)}https://user:secret@git.example`;
    expect(first.slice(0, 4 * MAX_TEXT_BYTES)).toMatch(/user:/);
    expect(shownText(first)).not.toMatch(/user|secret/);
  });
});

it('shows the URL of a repository without anything that may be secret', () => {
  expect(
    shownRepositoryUrl(
      'https://u:secret@git.example/x.git?token=secret#secret',
    ),
  ).toBe('https://git.example/x.git');
  expect(shownRepositoryUrl('https://u:pa/s?s#s@git.example/x.git')).toBe(
    'https://git.example/x.git',
  );
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
