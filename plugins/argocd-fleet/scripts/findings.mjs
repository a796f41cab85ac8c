// Prints src/findings/catalogue.generated.ts from the pages of docs/findings/, which are the only place of their texts.
// With --index, prints docs/findings.md instead: its tables determine the sections and their order, and get the severity
// and title of each page. With --write, writes both.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCUMENTATION = new URL('../../../docs/', import.meta.url);
const CATALOGUE = new URL(
  '../src/findings/catalogue.generated.ts',
  import.meta.url,
);
const ROW = /^\| \[(AFC-\d{3})\].*\|$/;
const PAGE =
  /^# AFC-\d{3}: (.+)\n\nSeverity: (error|warning|info)\n\n## Cause\n\n([^]+?)\n\n## Check\n\n([^]+?)\n\n## Fix\n\n([^]+?)\n$/;

const read = path => readFileSync(new URL(path, DOCUMENTATION), 'utf8');

/** The portal has no documentation beside it: a link within the documentation becomes its text. */
const withoutLinks = text => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');

function readPage(code) {
  const path = `findings/${code}.md`;
  const [, title, severity, ...sections] = PAGE.exec(read(path)) ?? [];
  if (!title) {
    throw new Error(
      `docs/${path} is not "# ${code}: <title>", "Severity: <error, warning or info>", and the sections Cause, Check and Fix with one paragraph each.`,
    );
  }
  const [cause, check, fix] = sections.map(text =>
    withoutLinks(text.replaceAll('\n', ' ')),
  );
  return { code, severity, title, cause, check, fix };
}

const index = read('findings.md');

function catalogue() {
  const sections = index
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const [title, ...lines] = section.split('\n');
      const codes = lines.flatMap(line => ROW.exec(line)?.[1] ?? []);
      return { title, findings: codes.map(readPage) };
    });
  return `/* Generated from docs/findings/ by \`npm run generate\`. Texts in backticks are code. */

/** What a code means. */
export interface DocumentedFinding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** With \`<word>\` for each name that differs from finding to finding. */
  readonly title: string;
  readonly cause: string;
  /** How to see that this is the cause. */
  readonly check: string;
  readonly fix: string;
}

/** Every code, in the sections of docs/findings.md. */
export const FINDING_SECTIONS: readonly {
  readonly title: string;
  readonly findings: readonly DocumentedFinding[];
}[] = ${JSON.stringify(sections, null, 2)};
`;
}

/** The index with the severity and title of each page. */
async function currentIndex() {
  const lines = index.split('\n').map(line => {
    const code = ROW.exec(line)?.[1];
    const page = code && readPage(code);
    return page
      ? `| [${code}](findings/${code}.md) | ${page.severity} | ${page.title} |`
      : line;
  });
  const path = fileURLToPath(new URL('findings.md', DOCUMENTATION));
  const { format, resolveConfig } = await import('prettier');
  const options = await resolveConfig(path);
  return format(lines.join('\n'), { ...options, filepath: path });
}

if (process.argv.includes('--write')) {
  writeFileSync(new URL('findings.md', DOCUMENTATION), await currentIndex());
  writeFileSync(CATALOGUE, catalogue());
} else if (process.argv.includes('--index')) {
  process.stdout.write(await currentIndex());
} else {
  process.stdout.write(catalogue());
}
