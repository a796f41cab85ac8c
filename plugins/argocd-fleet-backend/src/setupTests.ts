import fc from 'fast-check';
import { SEED } from './__testUtils__/randomCases';

// So that ARGOCD_FLEET_SEED repeats the cases of a failure.
fc.configureGlobal({ seed: SEED });
