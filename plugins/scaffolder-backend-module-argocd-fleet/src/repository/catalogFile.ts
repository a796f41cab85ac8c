import {
  isMap,
  isScalar,
  parseAllDocuments,
  stringify,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml';

/** Name and kind of an entity in its file. */
export interface DescribedEntity {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Sets an annotation of one entity in a catalog file, and leaves everything around it as it is written.
 * @param change - makes the new value of the present one; undefined where there is none
 * @returns the new text; undefined where the file does not describe the entity in a form that can be edited so
 */
export function annotate(
  text: string,
  entity: DescribedEntity,
  annotation: string,
  change: (present: string | undefined) => string,
): string | undefined {
  const document = (parseAllDocuments(text) as Document.Parsed[]).find(
    each => each.errors.length === 0 && describes(each, entity),
  );
  const metadata = document?.get('metadata', true);
  if (!isMap(metadata)) {
    return undefined;
  }
  const annotations = metadata.get('annotations', true);
  const present =
    isMap(annotations) && annotations.items.length > 0
      ? annotations.get(annotation, true)
      : undefined;
  if (isScalar(present) && present.range) {
    const [start, end] = present.range;
    const value = write(change(String(present.value)));
    return `${text.slice(0, start)}${value}${text.slice(end)}`;
  }
  const entry = `${annotation}: ${write(change(undefined))}`;
  if (isMap(annotations) && annotations.items.length > 0) {
    return before(text, annotations, indent => `${entry}\n${indent}`);
  }
  return annotations === undefined
    ? before(
        text,
        metadata,
        indent => `annotations:\n${indent}  ${entry}\n${indent}`,
      )
    : undefined;
}

function describes(document: Document.Parsed, entity: DescribedEntity) {
  const textAt = (...path: string[]) => String(document.getIn(path) ?? '');
  return (
    textAt('kind').toLowerCase() === entity.kind.toLowerCase() &&
    textAt('metadata', 'name') === entity.name &&
    (textAt('metadata', 'namespace') || 'default') === entity.namespace
  );
}

/** The text with lines in front of the first key of a map; undefined for one in braces. */
function before(
  text: string,
  map: YAMLMap,
  lines: (indent: string) => string,
): string | undefined {
  const [first] = map.items as Pair[];
  const start = isScalar(first?.key) ? first.key.range?.[0] : undefined;
  if (map.flow || start === undefined) {
    return undefined;
  }
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return indent.trim() === ''
    ? `${text.slice(0, start)}${lines(indent)}${text.slice(start)}`
    : undefined;
}

function write(value: string): string {
  return stringify(value, { lineWidth: 0 }).trim();
}
