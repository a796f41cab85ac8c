import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { buildFinding } from '../model/__testUtils__/buildFinding';
import { FINDINGS } from '../model/findings';

const SOURCES = join(__dirname, '..');
const CATALOGUE = join('model', 'findings') + sep;
const DOCUMENTATION = join(__dirname, '../../../../docs/findings.md');

it('documents every finding with its severity, and none that does not exist', () => {
  const documented = readFileSync(DOCUMENTATION, 'utf8').matchAll(
    /^\| (AFC-\d{3}) \| (\w+) /gm,
  );
  const rows = [...documented].map(([, code, severity]) => [code, severity]);
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.sort()).toEqual(
    FINDINGS.map(({ code, severity }) => [code, severity]).sort(),
  );
});

it.each(FINDINGS.map(definition => [definition.code, definition] as const))(
  'documents the title of %s',
  (code, definition) => {
    const [, title] =
      readFileSync(DOCUMENTATION, 'utf8').match(
        new RegExp(`^\\| ${code} \\| \\w+ +\\| (.+?) +\\|`, 'm'),
      ) ?? [];
    const words = title
      ?.split(/`<\w+>`/)
      .map(part => part.replace(/\W/g, '\\$&'));
    expect(buildFinding(definition, 'x').title).toMatch(
      new RegExp(`^${words?.join('.+')}$`),
    );
  },
);

it('mentions no code that does not exist', () => {
  const codes = FINDINGS.map(({ code }) => code);
  const mentioned = readFileSync(DOCUMENTATION, 'utf8').match(/AFC-\d{3}/g);
  expect(mentioned?.filter(code => !codes.includes(code))).toEqual([]);
});

it('finds no finding outside the catalogue', () => {
  const files = readdirSync(SOURCES, { recursive: true })
    .map(String)
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter(
      file => !file.startsWith(CATALOGUE) && !file.includes('__testUtils__'),
    )
    .filter(file =>
      /['"`]AFC-/.test(readFileSync(join(SOURCES, file), 'utf8')),
    );
  expect(files).toEqual([]);
});
