import {
  specWriterAfter,
  statusWriter,
  type ManagedFields,
} from './specWriter';

const spec = { 'f:spec': { 'f:workload': {} } };
const at = (second: number) => `2026-11-21T10:00:0${second}Z`;

function wrote(
  manager: string,
  second: number,
  other: Partial<ManagedFields> = {},
): ManagedFields {
  return {
    manager,
    operation: 'Update',
    time: at(second),
    fieldsV1: spec,
    ...other,
  };
}

describe('the last other writer of the spec', () => {
  it.each<[string, string | undefined, ManagedFields[]]>([
    ['is undefined without managed fields', undefined, []],
    ['is undefined where only we wrote it', undefined, [wrote('us', 1)]],
    [
      'is the manager that wrote it after us',
      'them',
      [wrote('us', 1), wrote('them', 2)],
    ],
    [
      'is the last of several managers',
      'others',
      [wrote('them', 2), wrote('others', 3), wrote('us', 1)],
    ],
    [
      'is undefined for a manager that wrote it before us: an object that we took over',
      undefined,
      [wrote('them', 1), wrote('us', 2)],
    ],
    [
      'is undefined on an object that we have never written',
      undefined,
      [wrote('them', 2)],
    ],
    [
      'is undefined for a manager that wrote the status',
      undefined,
      [wrote('us', 1), wrote('agent', 2, { subresource: 'status' })],
    ],
    [
      'is undefined for a manager that wrote labels',
      undefined,
      [wrote('us', 1), wrote('them', 2, { fieldsV1: { 'f:metadata': {} } })],
    ],
    [
      'is found where we own only metadata any more',
      'them',
      [wrote('us', 1, { fieldsV1: { 'f:metadata': {} } }), wrote('them', 2)],
    ],
    [
      'is undefined for a write in the same second',
      undefined,
      [wrote('us', 1), wrote('them', 1)],
    ],
  ])('%s', (_, manager, entries) => {
    expect(specWriterAfter('us', entries)?.manager).toBe(manager);
  });
});

describe('the other writer of the status', () => {
  const ofStatus = { fieldsV1: { 'f:status': { 'f:health': {} } } };

  it.each<[string, string | undefined, ManagedFields[], boolean]>([
    ['is undefined without managed fields', undefined, [], true],
    ['is undefined where only we wrote it', undefined, [wrote('us', 1)], true],
    [
      'is the last manager with fields of the status',
      'later',
      [
        wrote('earlier', 1, ofStatus),
        wrote('later', 2, { ...ofStatus, subresource: 'status' }),
        wrote('of-the-spec', 3),
        wrote('us', 4, ofStatus),
      ],
      false,
    ],
    [
      'is the last other writer where the status is empty and has no fields',
      'argocd-applicationset-controller',
      [
        wrote('kubectl', 1),
        wrote('argocd-applicationset-controller', 2),
        wrote('us', 3),
      ],
      true,
    ],
    [
      'is undefined where it is not empty and has fields of ours alone',
      undefined,
      [wrote('argocd-applicationset-controller', 2), wrote('us', 1, ofStatus)],
      false,
    ],
    [
      'is no manager without a name',
      undefined,
      [wrote('', 2, ofStatus), { ...wrote('x', 3), manager: undefined }],
      true,
    ],
  ])('%s', (_, expected, entries, isEmpty) => {
    expect(statusWriter('us', entries, isEmpty)).toBe(expected);
  });
});
