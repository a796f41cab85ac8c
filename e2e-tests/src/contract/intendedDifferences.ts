/** A case in which the embedded hub differs from Kubernetes by intent. */
export interface IntendedDifference {
  /** The case's area and title. */
  readonly id: string;
  readonly reason: string;
}

/**
 * Every other difference is a defect of the embedded hub. A case in this list has to fail there: one that passes is no difference any more
 * and leaves the list.
 */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = [
  {
    id: 'discovery: refuses who has no credentials',
    reason: 'the hub listens on loopback only and asks nobody who they are',
  },
  {
    id: 'discovery: describes the built-in kinds',
    reason:
      'OpenAPI has the schemas of definitions only; nobody in the fleet asks for the others',
  },
  {
    id: 'refusing: a duplicate field, strictly',
    reason: 'JSON is parsed by Node, which takes the last of two',
  },
  {
    id: 'objects: answers in protobuf where asked',
    reason: 'every client of the fleet speaks JSON',
  },
];
