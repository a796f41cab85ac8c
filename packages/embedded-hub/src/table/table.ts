import { JsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  PrinterColumn,
  ResourceDefinition,
} from '../resources/resourceDefinition';

/** Which object each row brings along. */
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

function shownObject(
  object: KubernetesObject,
  include: IncludeObject,
): unknown {
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
    object: shownObject(object, include),
  };
}

/** The head of a `meta.k8s.io/v1` Table; rows are added by whoever sends it. */
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
