import { isJsonObject } from '../api/kubernetesObject';

type Step = (values: readonly unknown[]) => unknown[];

const FIELD = /^\.?((?:[^.[\]\\]|\\.)+)/;
const INDEX = /^\[(-?\d+)\]/;
const QUOTED = /^\[(?:'([^']*)'|"([^"]*)")\]/;
const WILDCARD = /^(?:\[\*\]|\.\*)/;
const FILTER = /^\[\?\(@\.([\w.-]+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)')\)\]/;

function member(value: unknown, name: string): unknown[] {
  return isJsonObject(value) && value[name] !== undefined ? [value[name]] : [];
}

function elements(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value;
  }
  return isJsonObject(value) ? Object.values(value) : [];
}

function nextStep(path: string): { step: Step; length: number } | undefined {
  const wildcard = WILDCARD.exec(path);
  if (wildcard) {
    return {
      step: values => values.flatMap(elements),
      length: wildcard[0].length,
    };
  }
  const filter = FILTER.exec(path);
  if (filter) {
    const names = filter[1].split('.');
    const wanted = filter[3] ?? filter[4];
    const keeps = (item: unknown) => {
      const [found] = names.reduce<unknown[]>(
        (values, name) => values.flatMap(value => member(value, name)),
        [item],
      );
      return (String(found) === wanted) === (filter[2] === '==');
    };
    return {
      step: values => values.flatMap(elements).filter(keeps),
      length: filter[0].length,
    };
  }
  const index = INDEX.exec(path);
  if (index) {
    return {
      step: values =>
        values.flatMap(value => {
          const item = Array.isArray(value)
            ? value.at(Number(index[1]))
            : undefined;
          return item === undefined ? [] : [item];
        }),
      length: index[0].length,
    };
  }
  const quoted = QUOTED.exec(path);
  const field = quoted ?? FIELD.exec(path);
  if (field) {
    const name = (field[1] ?? field[2]).replace(/\\(.)/g, '$1');
    return {
      step: values => values.flatMap(value => member(value, name)),
      length: field[0].length,
    };
  }
  return undefined;
}

/**
 * Compiles the simple JSONPaths of printer columns: fields, indexes, wildcards
 * and comparisons with a text. Throws on anything else.
 */
export function compileJsonPath(path: string): (value: unknown) => unknown[] {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== '' && rest !== '.') {
    const next = nextStep(rest);
    if (!next) {
      throw new Error(
        `JSONPath ${path} cannot be read from "${rest}" on: fields, [n], [*] and [?(@.field=="text")] are understood`,
      );
    }
    steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return value =>
    steps.reduce<unknown[]>((values, step) => step(values), [value]);
}
