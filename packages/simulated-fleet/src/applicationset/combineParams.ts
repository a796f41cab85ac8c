import { deepMerge, stableJson } from '../kubernetes/json';
import { goText } from './goValues';
import { TemplateParams } from './renderTemplate';

/**
 * One row of a `matrix`: the parameters of both generators. With Go templates,
 * the first generator's take precedence; otherwise both must be equal.
 *
 * @throws Error in Argo CD's words if they differ.
 */
export function matrixRow(
  first: TemplateParams,
  second: TemplateParams,
  goTemplate: boolean,
): TemplateParams {
  if (goTemplate) {
    return deepMerge(second, first);
  }
  const row = asTexts(first);
  for (const [key, value] of Object.entries(asTexts(second))) {
    if (key in row && row[key] !== value) {
      throw new Error(
        `found duplicate key ${key} with different value, a: ${row[key]} ,b: ${value}`,
      );
    }
    row[key] = value;
  }
  return row;
}

/**
 * The rows of a `merge`: the rows of the base generator, each overridden by the
 * other generators' rows with the same values of the merge keys.
 *
 * @throws Error in Argo CD's words without merge keys, or if a generator has two rows with the same key.
 */
export function mergeRows(
  mergeKeys: readonly string[],
  [base, ...overrides]: readonly TemplateParams[][],
  goTemplate: boolean,
): TemplateParams[] {
  if (mergeKeys.length === 0) {
    throw new Error(
      'error getting param sets by merge key: no merge keys were specified, Merge requires at least one',
    );
  }
  let rows = [...byMergeKey(mergeKeys, base)];
  for (const override of overrides) {
    const others = byMergeKey(mergeKeys, override);
    rows = rows.map(([key, row]) => {
      const other = others.get(key) ?? {};
      return [key, goTemplate ? deepMerge(row, other) : { ...row, ...other }];
    });
  }
  return rows.map(([, row]) => row);
}

function byMergeKey(
  mergeKeys: readonly string[],
  rows: readonly TemplateParams[],
): Map<string, TemplateParams> {
  const found = new Map<string, TemplateParams>();
  for (const row of rows) {
    const key = stableJson(
      Object.fromEntries(mergeKeys.map(name => [name, row[name] ?? null])),
    );
    if (found.has(key)) {
      throw new Error(
        `error getting param sets by merge key: the parameters from a generator were not unique by the given mergeKeys, Merge requires all param sets to be unique. Duplicate key was ${key}`,
      );
    }
    found.set(key, row);
  }
  return found;
}

function asTexts(params: TemplateParams): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, goText(value)]),
  );
}
