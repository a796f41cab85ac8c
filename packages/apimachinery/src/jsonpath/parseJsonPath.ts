/** One step of a parsed path. */
export type Step =
  | { type: 'field'; name: string }
  | { type: 'wildcard' }
  | { type: 'recursive' }
  | {
      type: 'slice';
      start?: number;
      end?: number;
      step?: number;
      single: boolean;
    }
  | { type: 'union'; alternatives: Step[][] }
  | { type: 'filter'; left: Operand; operator?: Operator; right?: Operand };

/** One side of a filter's comparison. */
export type Operand =
  | { type: 'path'; steps: Step[] }
  | { type: 'value'; value: string | number | boolean };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * Parses a path in Kubernetes' dialect of JSONPath
 * (https://kubernetes.io/docs/reference/kubectl/jsonpath/), without braces.
 *
 * @throws Error in client-go's words.
 */
export function parseJsonPath(path: string): Step[] {
  const steps: Step[] = [];
  let at = /^[$@]/.test(path) ? 1 : 0;
  while (at < path.length) {
    const rest = path.slice(at);
    if (rest.startsWith('..')) {
      steps.push({ type: 'recursive' });
      at += /^\.\.[[.]/.test(rest) ? 2 : 1;
    } else if (rest.startsWith('.')) {
      const field = /^\.((?:\\.|[^.[\]()\s\\,=<>!])*)/.exec(rest)?.[1] ?? '';
      if (field !== '') {
        steps.push(
          field === '*'
            ? { type: 'wildcard' }
            : { type: 'field', name: field.replace(/\\(.)/g, '$1') },
        );
      }
      at += field.length + 1;
    } else if (rest.startsWith('[')) {
      const end = closingBracket(rest);
      steps.push(parseBrackets(rest.slice(1, end)));
      at += end + 1;
    } else if (at === 0 && /^\w/.test(rest)) {
      throw new Error(`unrecognized identifier ${/^\w+/.exec(rest)?.[0]}`);
    } else {
      throw new Error(
        `unrecognized character in action: U+${codePoint(rest)} '${rest[0]}'`,
      );
    }
  }
  return steps;
}

function closingBracket(text: string): number {
  let quote = '';
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quote) {
      if (char === quote) {
        quote = '';
      }
    } else if (char === '"' || char === "'") {
      quote = char;
    } else if (char === '[') {
      depth += 1;
    } else if (char === ']') {
      depth -= 1;
      if (depth === 0) {
        return at;
      }
    }
  }
  throw new Error(quote ? 'unterminated quoted string' : 'unterminated array');
}

function parseBrackets(inner: string): Step {
  const text = inner.trim();
  if (text === '*') {
    return { type: 'wildcard' };
  }
  if (text.startsWith('?')) {
    return parseFilter(text);
  }
  const parts = splitOutsideQuotes(text, ',');
  if (parts.length > 1) {
    return {
      type: 'union',
      alternatives: parts.map(part => [parseBrackets(part)]),
    };
  }
  const quoted = /^'(.*)'$|^"(.*)"$/s.exec(text);
  if (quoted) {
    return { type: 'field', name: quoted[1] ?? quoted[2] };
  }
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text);
  if (!slice || text === '') {
    throw new Error(`invalid array index ${inner}`);
  }
  const number = (part: string | undefined) =>
    part ? Number(part) : undefined;
  const single = slice[2] === undefined;
  const start = number(slice[1]);
  return {
    type: 'slice',
    start,
    end: single && start !== undefined ? start + 1 : number(slice[2]),
    step: number(slice[3]),
    single,
  };
}

function parseFilter(text: string): Step {
  const condition = /^\?\s*\((.*)\)$/s.exec(text)?.[1];
  if (condition === undefined) {
    throw new Error('unterminated filter');
  }
  const found = findOperator(condition);
  if (!found) {
    return { type: 'filter', left: parseOperand(condition) };
  }
  return {
    type: 'filter',
    left: parseOperand(condition.slice(0, found.at)),
    operator: found.operator,
    right: parseOperand(condition.slice(found.at + found.operator.length)),
  };
}

function findOperator(
  condition: string,
): { at: number; operator: Operator } | undefined {
  const masked = condition.replace(/"[^"]*"|'[^']*'/g, quoted =>
    ' '.repeat(quoted.length),
  );
  const match = /==|!=|<=|>=|<|>/.exec(masked);
  return match
    ? { at: match.index, operator: match[0] as Operator }
    : undefined;
}

function parseOperand(text: string): Operand {
  const trimmed = text.trim();
  if (/^[@$.[]/.test(trimmed)) {
    return { type: 'path', steps: parseJsonPath(trimmed) };
  }
  const quoted = /^'(.*)'$|^"(.*)"$/s.exec(trimmed);
  if (quoted) {
    return { type: 'value', value: quoted[1] ?? quoted[2] };
  }
  if (trimmed === 'true' || trimmed === 'false') {
    return { type: 'value', value: trimmed === 'true' };
  }
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) {
    return { type: 'value', value: Number(trimmed) };
  }
  throw new Error(`unrecognized identifier ${trimmed}`);
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [''];
  let quote = '';
  for (const char of text) {
    if (quote === '' && char === separator) {
      parts.push('');
      continue;
    }
    if (quote === char) {
      quote = '';
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
    }
    parts[parts.length - 1] += char;
  }
  return parts;
}

function codePoint(text: string): string {
  return (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
