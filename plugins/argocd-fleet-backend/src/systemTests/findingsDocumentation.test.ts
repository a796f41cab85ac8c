import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { buildFinding } from '../model/__testUtils__/buildFinding';
import { FINDINGS } from '../model/findings';

const SOURCES = join(__dirname, '..');
const CATALOGUE = join('model', 'findings') + sep;
const DOCS = join(__dirname, '../../../../docs');
const PAGES = join(DOCS, 'findings');

const read = (...path: string[]) => readFileSync(join(DOCS, ...path), 'utf8');
const pageOf = (code: string) => read('findings', `${code}.md`);

it('has a page for every finding, and none for another', () => {
  expect(readdirSync(PAGES).sort()).toEqual(
    FINDINGS.map(({ code }) => `${code}.md`).sort(),
  );
});

it('lists every page once', () => {
  const links = read('findings.md').matchAll(
    /^\| \[(AFC-\d{3})\]\(findings\/\1\.md\) /gm,
  );
  expect([...links].map(([, code]) => code).sort()).toEqual(
    FINDINGS.map(({ code }) => code).sort(),
  );
});

it.each(FINDINGS.map(definition => [definition.code, definition] as const))(
  'documents %s with its title, its severity, and how to check it',
  (code, definition) => {
    const [title, severity, ...sections] = pageOf(code)
      .split('\n\n')
      .filter((text, index) => index < 2 || text.startsWith('## '));
    expect(severity).toBe(`Severity: ${definition.severity}`);
    expect(sections.map(text => text.split('\n')[0])).toEqual([
      '## Cause',
      '## Check',
      '## Fix',
    ]);
    const words = title
      .split(/`<\w+>`/)
      .map(part => part.replace(/\W/g, '\\$&'));
    expect(`# ${code}: ${buildFinding(definition, 'x').title}`).toMatch(
      new RegExp(`^${words.join('.+')}$`),
    );
  },
);

it('mentions no code that does not exist', () => {
  const codes = FINDINGS.map(({ code }) => code);
  const mentioned = [
    'findings.md',
    ...readdirSync(PAGES).map(file => join('findings', file)),
  ].flatMap(path => read(path).match(/AFC-\d{3}/g) ?? []);
  expect(mentioned.filter(code => !codes.includes(code))).toEqual([]);
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
