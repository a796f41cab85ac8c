import fc from 'fast-check';

// Random cases are those of the run's seed, so that a failure can be repeated.
fc.configureGlobal({
  seed: Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000),
});
