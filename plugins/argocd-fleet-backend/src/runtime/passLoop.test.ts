import { passInterval } from './passLoop';

it.each([
  ['ten seconds by default', undefined, 20, 10_000],
  ['longer where listing all keys takes long', undefined, 200, 40_000],
  ['as long as configured, however long listing takes', 500, 200, 500],
])('the interval of full passes is %s', (_, everyMs, busyMs, interval) => {
  expect(passInterval(everyMs, busyMs)).toBe(interval);
});
