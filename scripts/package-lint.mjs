// publint and arethetypeswrong on the packed tarballs: whether Node, bundlers and TypeScript find in a package what its
// package.json says. What they report and we do not change is listed here with its reason, and nothing else is accepted.
import { readFileSync } from 'node:fs';
import {
  checkPackage,
  createPackageFromTarballData,
} from '@arethetypeswrong/core';
import { publint } from 'publint';

const FRONTEND = 'backstage-plugin-argocd-fleet';
const BACKEND = 'backstage-plugin-argocd-fleet-backend';
const COMMON = 'backstage-plugin-argocd-fleet-common';
const NODE = 'backstage-plugin-argocd-fleet-node';
const CATALOG = 'backstage-plugin-catalog-backend-module-argocd-fleet';
const SCAFFOLDER = 'backstage-plugin-scaffolder-backend-module-argocd-fleet';

const ALL = [FRONTEND, BACKEND, COMMON, NODE, CATALOG, SCAFFOLDER];

const ESM_IN_JS =
  "Backstage's build writes ES modules as .esm.js without a type. Bundlers read them as they are meant, and Node loads the CommonJS files. With type module, bundlers would reject the imports of @material-ui without a file extension.";
const CJS_DEFAULT =
  "Backstage's build writes CommonJS with a default export, and backend.add(import(…)) accepts it: npm test starts a backend that way.";

/** What is accepted: `[tool and code, packages, reason]`. */
const ACCEPTED = [
  [
    'publint USE_TYPE',
    ALL,
    "Backstage's packages have no type: their files say by .cjs.js and .esm.js what they are.",
  ],
  ['publint FILE_INVALID_FORMAT', [FRONTEND, COMMON], ESM_IN_JS],
  ['arethetypeswrong UnexpectedModuleSyntax', [FRONTEND], ESM_IN_JS],
  [
    'publint EXPORTS_VALUE_INVALID',
    [FRONTEND],
    "Backstage's prepack adds the condition `backstage` with the kind of the default export, by which app.packages discovers plugins. It is no path; nothing resolves it.",
  ],
  [
    'publint HAS_MODULE_BUT_NO_EXPORTS',
    [COMMON],
    "Backstage's build of a package for frontend and backend: bundlers read `module`, Node reads `main`.",
  ],
  [
    'publint CJS_WITH_ESMODULE_DEFAULT_EXPORT',
    [BACKEND, CATALOG, SCAFFOLDER],
    CJS_DEFAULT,
  ],
  [
    'arethetypeswrong CJSOnlyExportsDefault',
    [BACKEND, CATALOG, SCAFFOLDER],
    CJS_DEFAULT,
  ],
];

/** Everything that the two tools report of a tarball: by tool and code, the details of each. */
async function problemsOf(tarball) {
  const data = new Uint8Array(readFileSync(tarball));
  const { messages } = await publint({ pack: { tarball: data.buffer } });
  const { problems = [] } = await checkPackage(
    createPackageFromTarballData(data),
  );
  return Map.groupBy(
    [
      ...messages.map(({ code, ...details }) => [`publint ${code}`, details]),
      ...problems.map(({ kind, ...details }) => [
        `arethetypeswrong ${kind}`,
        details,
      ]),
    ],
    ([code]) => code,
  );
}

/**
 * @param packages - as `packAll` returns them
 * @returns the accepted problems, as lines with their reasons
 * @throws Error if something else is reported, or something accepted is not
 */
export async function lintPackages(packages) {
  const errors = [];
  for (const { name, tarball } of packages) {
    const problems = await problemsOf(tarball);
    const accepted = new Set(
      ACCEPTED.filter(([, names]) => names.includes(name)).map(
        ([code]) => code,
      ),
    );
    for (const [code, found] of problems) {
      if (!accepted.has(code)) {
        errors.push(
          ...found.map(
            ([, details]) => `${name}: ${code} ${JSON.stringify(details)}`,
          ),
        );
      }
    }
    for (const code of accepted) {
      if (!problems.has(code)) {
        errors.push(
          `${name}: ${code} is accepted in scripts/package-lint.mjs but no longer reported: remove it there`,
        );
      }
    }
  }
  if (errors.length > 0) {
    throw new Error(errors.join('\n'));
  }
  return ACCEPTED.map(
    ([code, names, reason]) =>
      `${code} in ${names.length === ALL.length ? 'all packages' : names.join(', ')}: ${reason}`,
  );
}
