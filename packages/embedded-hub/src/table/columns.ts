import { compileJsonPath } from 'apimachinery';
import { PrinterColumn } from '../resources/resourceDefinition';
import { age } from './humanDuration';

/** A column as a CustomResourceDefinition declares it. */
export interface ColumnDeclaration {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

export const NAME_COLUMN: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique within its namespace.',
  cell: object => object.metadata.name,
};

export const AGE_COLUMN: PrinterColumn = {
  name: 'Age',
  type: 'string',
  description: 'Time since the object was created.',
  cell: (object, now) => age(object.metadata.creationTimestamp, now),
};

export const CREATED_AT_COLUMN: PrinterColumn = {
  name: 'Created At',
  type: 'date',
  description: 'When the object was created.',
  cell: object => object.metadata.creationTimestamp,
};

function cellOf(type: string, found: unknown[], now: Date): unknown {
  const [first] = found;
  if (first === undefined || first === null) {
    return undefined;
  }
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : undefined;
    case 'number':
      return typeof first === 'number' ? first : undefined;
    case 'boolean':
      return typeof first === 'boolean' ? first : undefined;
    case 'date':
      return age(first, now);
    default:
      return found
        .map(value =>
          typeof value === 'object' ? JSON.stringify(value) : String(value),
        )
        .join(' ');
  }
}

/** Finds nothing where a path fails, such as an index out of bounds: kube-apiserver leaves that cell empty. */
function cellFinder(path: string): (object: unknown) => unknown[] {
  const find = compileJsonPath(path);
  return object => {
    try {
      return find(object);
    } catch {
      return [];
    }
  };
}

/**
 * Columns of a custom resource: its name and those declared, or its age where none is declared.
 *
 * @throws Error when a JSONPath cannot be parsed.
 */
export function customColumns(
  declared: readonly ColumnDeclaration[] | undefined,
): PrinterColumn[] {
  if (!declared?.length) {
    return [NAME_COLUMN, { ...AGE_COLUMN, type: 'date' }];
  }
  return [
    NAME_COLUMN,
    ...declared.map(column => {
      const find = cellFinder(column.jsonPath);
      return {
        name: column.name,
        type: column.type,
        format: column.format,
        description: column.description,
        priority: column.priority,
        cell: (object: unknown, now: Date) =>
          cellOf(column.type, find(object), now),
      };
    }),
  ];
}
