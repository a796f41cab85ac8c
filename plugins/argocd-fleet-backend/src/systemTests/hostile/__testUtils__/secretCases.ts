/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import { SECRETS } from './brokenHubs';
import type { HostileCase } from './hostileCase';
import { BASE, userHeader } from './api';

/** Answers that say what is wrong with a hub. */
const PATHS = [
  '/applicationsets',
  '/clusters',
  '/controllers',
  '/inventory',
  '/placement-options',
  ...Object.keys(SECRETS).map(name => `/applicationsets/${name}/x/y`),
  '/applicationsets/failing-plugin/x/y',
  '/applicationsets/unreachable/x/y',
  '/applicationsets/user-info/x/y',
];

/** @param reason - what an answer says of the hub in place of the secrets */
function hidden(
  title: string,
  secrets: readonly string[],
  reason: RegExp,
): HostileCase {
  return {
    attacker: 'portal user',
    kind: 'secrets',
    title,
    immediate: true,
    async attack({ api, logger }) {
      // An administrator also sees why a hub is out of reach, which is where a secret would be.
      const answers = await Promise.all(
        ['tina', 'mock'].flatMap(user =>
          PATHS.map(path =>
            api.get(`${BASE}${path}`).set('authorization', userHeader(user)),
          ),
        ),
      );
      const put = await api
        .put(`${BASE}/placements/unreachable/${'x'}/y`)
        .set('authorization', userHeader('tina'))
        .send({ clusterSets: ['x'] });
      const texts = [...answers, put].map(({ text }) => text).join('\n');
      for (const secret of secrets) {
        expect(texts).not.toContain(secret);
        expect(logger.text()).not.toContain(secret);
      }
      // Otherwise nothing would have had a reason to name them.
      expect(texts).toContain('"unreachable"');
      expect(texts).toMatch(reason);
    },
  };
}

/** Attacks by whoever reads answers or logs of a backend whose configuration is broken. */
export const SECRET_CASES: readonly HostileCase[] = [
  hidden(
    'reads the token of a malformed kubeconfig',
    [SECRETS.malformed],
    /line \d+, column \d+/,
  ),
  hidden(
    'reads the output of a plugin for credentials',
    [SECRETS.plugin, SECRETS.pluginError],
    /output of its credential plugin is not JSON/,
  ),
  hidden(
    'reads the token of a hub that cannot be reached',
    [SECRETS.token],
    /ECONNREFUSED|refused/,
  ),
  hidden(
    'reads the user info in the address of a hub',
    [SECRETS.userInfo],
    /without user name and password/,
  ),
];
