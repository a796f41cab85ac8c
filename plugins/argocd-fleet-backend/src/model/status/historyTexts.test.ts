import { historyTexts, MAX_HISTORY_ERROR_BYTES } from './historyTexts';

const STATE = { health: 'Healthy', sync: 'Synced' };
const sha = (index: number) => index.toString(16).padStart(40, '0');

describe('the texts of a transition', () => {
  it('are the texts of the state, where they are as short as usual', () => {
    const texts = {
      revision: sha(1),
      revisions: JSON.stringify(Array.from({ length: 40 }, (_, at) => sha(at))),
      error: 'é'.repeat(MAX_HISTORY_ERROR_BYTES / 2),
    };
    expect(historyTexts({ ...STATE, ...texts })).toEqual(texts);
    expect(historyTexts(STATE)).toEqual({});
  });

  it('are cut to what their number of bytes allows', () => {
    const long = '😀'.repeat(1_000);
    const { error = '', revision = '' } = historyTexts({
      ...STATE,
      ...{ revision: long, error: long },
    });
    expect(error).toMatch(/^😀+… \[cut\]$/u);
    expect(Buffer.byteLength(error)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(error)).toBeLessThanOrEqual(1_024);
    expect(revision).toMatch(/^😀+… \[cut\]$/u);
    expect(Buffer.byteLength(revision)).toBeLessThanOrEqual(256);
  });

  it('are the first of very many revisions', () => {
    const all = Array.from({ length: 1_000 }, (_, index) => sha(index));
    const { revisions = '' } = historyTexts({
      ...STATE,
      revisions: JSON.stringify(all),
    });
    expect(Buffer.byteLength(revisions)).toBeLessThanOrEqual(2_048);
    expect(JSON.parse(revisions)).toEqual(all.slice(0, 47));
  });

  it('are short where each of several revisions is long', () => {
    const { revisions = '' } = historyTexts({
      ...STATE,
      revisions: JSON.stringify(['"'.repeat(4_096), 'b'.repeat(4_096)]),
    });
    expect(Buffer.byteLength(revisions)).toBeLessThanOrEqual(2_048);
    expect(JSON.parse(revisions)).toEqual([
      expect.stringMatching(/^"+… \[cut\]$/),
      expect.stringMatching(/^b+… \[cut\]$/),
    ]);
  });
});
