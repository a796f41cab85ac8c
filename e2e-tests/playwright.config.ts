import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: __dirname,
  testMatch: '**/*.spec.ts',
  // Those need a portal that `npm run test:install` makes.
  testIgnore: 'installed/**',
  outputDir: '../test-results',
  // All tests share one hub, one backend and one browser; parallel runs would slow each other down.
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  // Longer than a page waits before it retries a failed request, with a margin for pauses of a small machine.
  expect: { timeout: 40_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
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
