// Which files import which, over all packages: Jest's own graph ends at the border of a package.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** Folders with source files; `.dependency-cruiser.cjs` has rules for them. */
export const SOURCE_FOLDERS = ['packages', 'plugins', 'e2e-tests', 'bench'];

const TEST = /\.(test|spec)\.tsx?$/;

/** Reads the imports of all source files. */
export async function readImports() {
  const { cruise } = await import('dependency-cruiser');
  const { default: extractTSConfig } =
    await import('dependency-cruiser/config-utl/extract-ts-config');
  const require = createRequire(import.meta.url);
  const { options } = require(join(ROOT, '.dependency-cruiser.cjs'));
  const { output } = await cruise(SOURCE_FOLDERS, options, undefined, {
    tsConfig: extractTSConfig(join(ROOT, 'tsconfig.json')),
  });
  return new Map(
    output.modules.map(({ source, dependencies }) => [
      source,
      dependencies.map(({ resolved }) => resolved),
    ]),
  );
}

/**
 * The tests that the files reach: those files that are tests, and the tests that import one of them, directly or
 * through others.
 *
 * @param {Map<string, string[]>} imports - from `readImports`
 * @param {Iterable<string>} files - paths in the repository
 */
export function testsOf(imports, files) {
  const importers = new Map();
  for (const [source, targets] of imports) {
    for (const target of targets) {
      importers.set(target, [...(importers.get(target) ?? []), source]);
    }
  }
  const reached = new Set(files);
  for (const file of reached) {
    importers.get(file)?.forEach(importer => reached.add(importer));
  }
  return [...reached].filter(file => TEST.test(file)).sort();
}
