import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolvePackagePath } from '@backstage/backend-plugin-api';

const PACKAGE = 'backstage-plugin-argocd-fleet-backend';

/** Files of the package, besides its code, that the plugin cannot start without. */
export const REQUIRED_FILES: readonly string[] = [
  'src/schema/openapi.yaml',
  'migrations/20261122100000_fleet_model.js',
  'migrations/20261122110000_source_answers.js',
  'migrations/20261122120000_transition_revisions.js',
  'migrations/20261123100000_transition_sets.js',
  'migrations/20261125100000_work_removals.js',
  'migrations/20261126100000_history_limits.js',
  'migrations/20261128100000_import_accounts.js',
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

/** The folder of the copy of the package that each backend has, by the backend's configuration. Copies share it. */
const ADDED: WeakMap<object, string> = ((
  globalThis as { [key: symbol]: WeakMap<object, string> }
)[Symbol.for(`${PACKAGE}/added`)] ??= new WeakMap());

/**
 * Notes that a backend has the plugin.
 * @param backend - an object that only this backend has
 * @param folder - of this copy of the package
 * @throws Error that says what to do, if the backend has it already, from this or from another copy
 */
export function assertAddedOnce(
  backend: object,
  // Not `resolvePackagePath`, which finds the same copy for all.
  folder = dirname(dirname(__filename)),
): void {
  const earlier = ADDED.get(backend);
  if (earlier === folder) {
    throw new Error(
      `${PACKAGE} in ${folder} is added to the backend twice. Remove one of the lines that add it, usually in packages/backend/src/index.ts`,
    );
  }
  if (earlier !== undefined) {
    throw new Error(
      `${PACKAGE} is installed twice, and both copies are added to the backend: ${earlier} and ${folder}. Remove one of them, and the line that adds it`,
    );
  }
  ADDED.set(backend, folder);
}
