import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';
import fc from 'fast-check';
import { quickenStyles } from './__testUtils__/quickStyles';

// For hangs only, and before the limit of a test: the message says what was waited for.
configure({ asyncUtilTimeout: 50_000 });
quickenStyles(window);

// Random cases are those of the run's seed, so that a failure can be repeated.
fc.configureGlobal({
  seed: Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000),
});
