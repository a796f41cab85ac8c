import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  createSourceFile,
  forEachChild,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isRegularExpressionLiteral,
  ScriptTarget,
  type Node,
} from 'typescript';

/** A regular expression of the plugins. */
export interface CollectedPattern {
  /** `<file>:<line>`, from the folder of the plugins. */
  readonly place: string;
  readonly pattern: RegExp;
}

const PLUGINS = resolve(__dirname, '../../../..');

/**
 * Every regular expression in the production code of all plugins, so that a new one is found without being listed.
 * @throws Error for one that is built at runtime: nothing can be said about it
 */
export function collectPatterns(): CollectedPattern[] {
  return readdirSync(PLUGINS)
    .flatMap(plugin => sourceFiles(join(PLUGINS, plugin, 'src')))
    .flatMap(patternsIn);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      path =>
        /\.tsx?$/.test(path) &&
        !/\.test\.|__testUtils__|systemTests|setupTests/.test(path),
    )
    .map(path => join(folder, path));
}

function patternsIn(path: string): CollectedPattern[] {
  const text = readFileSync(path, 'utf8');
  const file = createSourceFile(path, text, ScriptTarget.Latest, true);
  const found: CollectedPattern[] = [];
  const placeOf = (node: Node) =>
    `${relative(PLUGINS, path)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node: Node) => {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({
        place: placeOf(node),
        pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)),
      });
    }
    if (
      (isNewExpression(node) || isCallExpression(node)) &&
      isIdentifier(node.expression) &&
      node.expression.text === 'RegExp'
    ) {
      throw new Error(
        `${placeOf(node)} builds a regular expression at runtime`,
      );
    }
    forEachChild(node, visit);
  };
  visit(file);
  return found;
}
