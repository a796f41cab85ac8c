import { equalJson, isJsonObject } from './objects';

describe('isJsonObject', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    ['text', false],
    [undefined, false],
  ])('%j: %p', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});

describe('equalJson', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] }, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{}, { a: undefined }, true],
    [{ a: null }, {}, false],
    [{}, { a: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, [], false],
    [1, '1', false],
    [null, null, true],
    [null, {}, false],
  ])('%j and %j: %p', (a, b, expected) => {
    expect(equalJson(a, b)).toBe(expected);
  });
});
