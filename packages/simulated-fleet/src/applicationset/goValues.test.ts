import { goText } from './goValues';

describe('goText', () => {
  it.each([
    [3, '3'],
    [1.5, '1.5'],
    [999999, '999999'],
    [1000000, '1e+06'],
    [123456789, '1.23456789e+08'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [true, 'true'],
    [null, '<nil>'],
    [['a', 1], '[a 1]'],
    [{ b: 2, a: ['x'] }, 'map[a:[x] b:2]'],
  ])('writes %j as %j', (value, expected) => {
    expect(goText(value)).toBe(expected);
  });
});
