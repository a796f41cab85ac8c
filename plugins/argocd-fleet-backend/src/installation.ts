import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolvePackagePath } from '@backstage/backend-plugin-api';

const PACKAGE = 'backstage-plugin-argocd-fleet-backend';

/** Files of the package, besides its code, that the plugin cannot start without. */
export const REQUIRED_FILES: readonly string[] = [
  'src/schema/openapi.yaml',
  'migrations/20261122100000_fleet_model.js',
  'migrations/20261122110000_source_answers.js',
  'migrations/20261122120000_transition_revisions.js',
];

/**
 * Checks that the package is installed with all its files. Without one of the migrations the plugin would start, and
 * fail later.
 * @throws Error that names what is missing and says what to do
 */
export function checkInstallation(folder = resolvePackagePath(PACKAGE)): void {
  const missing = REQUIRED_FILES.filter(
    file => !existsSync(join(folder, file)),
  );
  if (missing.length > 0) {
    throw new Error(
      `The installation of ${PACKAGE} in ${folder} is incomplete: ${missing.join(', ')} missing. Install the package again; if that does not help, install another version of it`,
    );
  }
}
