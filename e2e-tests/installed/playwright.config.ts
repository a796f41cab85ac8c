import { defineConfig } from '@playwright/test';
import config from '../playwright.config';

export default defineConfig({
  ...config,
  testDir: __dirname,
  testIgnore: [],
  outputDir: '../../test-results',
});
