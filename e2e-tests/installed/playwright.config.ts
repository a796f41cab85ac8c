import { defineConfig } from '@playwright/test';
import config from '../playwright.config';

export default defineConfig({
  ...config,
  testDir: __dirname,
  // One portal, which runs already.
  projects: undefined,
  globalSetup: undefined,
  workers: 1,
  outputDir: '../../test-results',
  // A new portal has many plugins, and its development server sends them one by one and not minified.
  timeout: 300_000,
  expect: { timeout: 100_000 },
});
