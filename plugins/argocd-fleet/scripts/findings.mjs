// Prints src/findings/catalogue.generated.ts: the tables of docs/findings.md, which is the only place of these texts.
import { readFileSync } from 'node:fs';

const DOCUMENT = new URL('../../../docs/findings.md', import.meta.url);
const ROW = /^\| (AFC-\d{3}) \| (\w+) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/;

/** The page has no documentation beside it: a link within the documentation becomes its text. */
const withoutLinks = text => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

const sections = readFileSync(DOCUMENT, 'utf8')
  .split(/^## /m)
  .slice(1)
  .map(section => {
    const [title, ...lines] = section.split('\n');
    const findings = lines.flatMap(line => {
      const [row, code, severity, ...texts] = line.match(ROW) ?? [];
      const [name, meaning, remedy] = texts.map(withoutLinks);
      return row ? [{ code, severity, title: name, meaning, remedy }] : [];
    });
    return { title, findings };
  });

process.stdout
  .write(`/* Generated from docs/findings.md by \`npm run generate\`. Texts in backticks are code. */

/** What a code means. */
export interface DocumentedFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** With \`<word>\` for each name that differs from finding to finding. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every code, in the sections of docs/findings.md. */
export const FINDING_SECTIONS: readonly {
  readonly title: string;
  readonly findings: readonly DocumentedFinding[];
}[] = ${JSON.stringify(sections, null, 2)};
`);
