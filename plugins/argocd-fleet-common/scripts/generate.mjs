// Writes src/api.generated.ts from the description of the HTTP API; with --check, fails if it is not up to date.
// openapi-typescript makes the types. What it writes as JSDoc becomes TSDoc here: descriptions without a tag, and a
// release tag on each type.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { parse } from 'yaml';

const DESCRIPTION = new URL(
  '../../argocd-fleet-backend/src/schema/openapi.yaml',
  import.meta.url,
);
const TYPES = new URL('../src/api.generated.ts', import.meta.url);

const CONTAINERS = {
  paths: 'Requests and responses of each path and method of the HTTP API.',
  components: 'Parameters, responses and schemas of the HTTP API.',
  operations: 'Requests and responses of the HTTP API by operation.',
};

const { schemas } = parse(readFileSync(DESCRIPTION, 'utf8')).components;

function documented(name, text, declaration) {
  if (!text) {
    throw new Error(
      `${name} has no description in ${DESCRIPTION.pathname}: write what it is.`,
    );
  }
  return `/** ${text.trim()} @public */\n${declaration}`;
}

const types = astToString(
  await openapiTS(DESCRIPTION, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    alphabetize: true,
  }),
)
  .replace(/(\* Format: [\w-]+)$/gm, '$1.')
  .replace(/^ +(?:\/\*\*|\*) @enum \{\w+\}(?: \*\/)?\n/gm, '')
  .replace(/\* @description /g, '* ')
  .replace(/@default /g, '@defaultValue ')
  .replace(
    /^export type (\w+) = components\['schemas'\]\['(\w+)'\];$/gm,
    (declaration, _, name) =>
      documented(name, schemas[name].description, declaration),
  )
  .replace(/^export interface (\w+) \{$/gm, (declaration, name) =>
    documented(name, CONTAINERS[name], declaration),
  );
const text = `${COMMENT_HEADER}${types}`;

if (!process.argv.includes('--check')) {
  writeFileSync(TYPES, text);
} else if (readFileSync(TYPES, 'utf8') !== text) {
  throw new Error(
    'src/api.generated.ts is not up to date: run `npm run generate` in plugins/argocd-fleet-common.',
  );
}
