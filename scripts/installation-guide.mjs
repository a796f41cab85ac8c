// Reads what docs/installation.md says to do, so that tests do exactly that and nothing else.
//
// Of the sections that a test follows, every block of code is a step. A block of `sh` has commands for the portal's root
// folder. Any other block edits the file that its first line names:
//
// - `+++ FILE` and a diff without line numbers: places are separated by empty lines; lines with `+` are added and lines
//   with `-` removed where the other lines stand, which must be in exactly one place of the file;
// - `# FILE` and YAML: keys are added to the keys that are there, items to the end of lists; among several documents, in
//   the one with the same kind and name.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isSeq, parse, parseAllDocuments } from 'yaml';
import { ROOT } from './paths.mjs';

const GUIDE = join(ROOT, 'docs', 'installation.md');

/**
 * The steps of the section with a heading, without those of its subsections: `{ command }`, or `{ file, language, edit }`.
 *
 * @param {Record<string, string>} values - what the reader puts in place of a text of the guide, such as a path
 */
export function guideSteps(heading, values = {}) {
  const steps = [];
  let current;
  let found = false;
  let block;
  for (const line of readFileSync(GUIDE, 'utf8').split('\n')) {
    if (block && line === '```') {
      if (current === heading) {
        steps.push(readStep(block, values));
      }
      block = undefined;
    } else if (block) {
      block.lines.push(line);
    } else if (line.startsWith('```')) {
      block = { language: line.slice(3), lines: [] };
    } else if (/^#+ /.test(line)) {
      current = line.replace(/^#+ /, '');
      found ||= current === heading;
    }
  }
  if (!found) {
    throw new Error(`docs/installation.md has no section "${heading}"`);
  }
  return steps;
}

function readStep({ language, lines }, values) {
  const code = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    lines.join('\n'),
  );
  if (language === 'sh') {
    return { command: code };
  }
  const [first, ...rest] = code.split('\n');
  const [, file] =
    { diff: /^\+\+\+ (\S+)$/, yaml: /^# (\S+)$/ }[language]?.exec(first) ?? [];
  if (!file) {
    throw new Error(
      `A block of docs/installation.md is no step; it begins with "${first}"`,
    );
  }
  return { file, language, edit: rest.join('\n') };
}

/** Makes the edit of a step in the portal in `folder`. */
export function applyEdit(folder, { file, language, edit }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  try {
    writeFileSync(
      path,
      language === 'diff' ? patched(text, edit) : merged(text, edit),
    );
  } catch (error) {
    throw new Error(
      `docs/installation.md cannot be followed in ${file}: ${error.message}`,
    );
  }
}

function patched(text, diff) {
  return diff
    .trimEnd()
    .split(/\n\n+/)
    .reduce((result, place) => {
      const lines = place.split('\n');
      const without = sign =>
        lines
          .filter(line => !line.startsWith(sign))
          .map(line => `${line.slice(1)}\n`)
          .join('');
      const parts = `\n${result}`.split(`\n${without('+')}`);
      if (parts.length !== 2) {
        throw new Error(
          `${parts.length - 1} places have these lines, not 1:\n${without('+')}`,
        );
      }
      return parts.join(`\n${without('-')}`).slice(1);
    }, text);
}

function merged(text, addition) {
  const documents = parseAllDocuments(text);
  const value = parse(addition);
  const target =
    documents.length > 1
      ? documents.find(
          document =>
            document.get('kind') === value.kind &&
            document.getIn(['metadata', 'name']) === value.metadata?.name,
        )
      : documents[0];
  if (!target) {
    throw new Error(`no ${value.kind} "${value.metadata?.name}"`);
  }
  merge(target, [], value);
  return documents
    .map(document =>
      document.toString({ lineWidth: 0, flowCollectionPadding: false }),
    )
    .join('');
}

function merge(document, path, value) {
  const present = path.length > 0 ? document.getIn(path) : document.contents;
  if (Array.isArray(value) && isSeq(present)) {
    value.forEach(item => document.addIn(path, item));
  } else if (isMap(present) && value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      merge(document, [...path, key], inner);
    }
  } else {
    document.setIn(path, value);
  }
}
