// Finds Chromium for the browser tests: Playwright's, else the system's, else Debian's if this user may install it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { step } from './output.mjs';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

function apt(...args) {
  return spawnSync('apt-get', args, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status;
}

/**
 * Returns `path` of the executable, or `reason`: what to install.
 * @param {boolean} mayInstall - whether Debian's package may be installed
 */
export async function findChromium(mayInstall) {
  const { chromium } = await import('@playwright/test');
  const candidates = [
    process.env.ARGOCD_FLEET_CHROMIUM,
    chromium.executablePath(),
    ...SYSTEM,
  ];
  const found = candidates.find(path => path && existsSync(path));
  if (found) {
    return { path: found };
  }
  if (
    mayInstall &&
    existsSync('/usr/bin/apt-get') &&
    process.getuid?.() === 0
  ) {
    const title =
      'Installing the system package chromium with apt-get (with `-- --no-install`, browser tests are skipped instead)';
    const status = await step(title, async () => {
      apt('update');
      return apt('install', '--yes', 'chromium');
    });
    if (status === 0 && existsSync(SYSTEM[0])) {
      return { path: SYSTEM[0] };
    }
  }
  return {
    reason:
      'no Chromium. Install it with `npx playwright install chromium` or your system’s package manager, or set ARGOCD_FLEET_CHROMIUM to its path',
  };
}
