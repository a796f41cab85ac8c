import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = join(__dirname, '..');
const DOCUMENTATION = join(__dirname, '../../../../docs/findings.md');

function codesIn(text: string): string[] {
  return [...text.matchAll(/AFC-\d{3}/g)].map(([code]) => code);
}

it('documents every finding, and none that does not exist', () => {
  const sources = readdirSync(SOURCES, { recursive: true })
    .map(String)
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(join(SOURCES, file), 'utf8'))
    .flatMap(text =>
      [...text.matchAll(/code: '(AFC-\d{3})'/g)].map(([, code]) => code),
    );
  const documented = codesIn(readFileSync(DOCUMENTATION, 'utf8'));
  expect(sources.length).toBeGreaterThan(30);
  expect([...new Set(documented)].sort()).toEqual([...new Set(sources)].sort());
});
