import { JsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  PrinterColumn,
  ResourceDefinition,
} from '../resources/resourceDefinition';

/** The form of the object in each row. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

function columnDefinition(column: PrinterColumn): JsonObject {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? '',
    priority: column.priority ?? 0,
  };
}

/** An object reduced to its metadata. */
export function partialObjectMetadata(object: KubernetesObject): JsonObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  };
}

function rowObject(object: KubernetesObject, include: IncludeObject): unknown {
  switch (include) {
    case 'None':
      return null;
    case 'Metadata':
      return partialObjectMetadata(object);
    default:
      return object;
  }
}

export function tableRow(
  resource: ResourceDefinition,
  object: KubernetesObject,
  include: IncludeObject,
  now: Date,
): JsonObject {
  return {
    cells: resource.columns.map(column => column.cell(object, now) ?? null),
    object: rowObject(object, include),
  };
}

/** A `meta.k8s.io/v1` Table without its rows. */
export function tableHead(
  resource: ResourceDefinition,
  metadata: JsonObject,
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: resource.columns.map(columnDefinition),
  };
}
