import { defineConfig } from '@playwright/test';

/** Tests that only read share a portal (`sharedPortal.ts`), and run at the same time. */
const READING = ['accessibility', 'keyboard', 'links', 'pages'];
/** Tests that change what is on the hub of their common portal (`stack.ts`), and run one after the other. */
const CHANGING = ['deletedSet', 'loop', 'states', 'template'];

const filesOf = (names: readonly string[]) =>
  names.map(name => `${name}.spec.ts`);

export default defineConfig({
  testDir: __dirname,
  globalSetup: require.resolve('./sharedPortal'),
  outputDir: '../test-results',
  projects: [
    // First, because one after the other they take longest.
    { name: 'changing', testMatch: filesOf(CHANGING), workers: 1 },
    {
      name: 'own hub',
      testMatch: '*.spec.ts',
      // The tests in `installed` need a portal that `npm run test:install` makes.
      testIgnore: [...filesOf([...READING, ...CHANGING]), 'installed/**'],
    },
    { name: 'reading', testMatch: filesOf(READING), fullyParallel: true },
  ],
  workers: 2,
  timeout: 120_000,
  // Limits are for hangs only. These end before the test's, so that their messages say what was waited for.
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    // The pages at each step, but no film, which takes a fifth of the time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: process.env.ARGOCD_FLEET_CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
