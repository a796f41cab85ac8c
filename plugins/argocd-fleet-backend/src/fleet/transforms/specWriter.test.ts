import { specWriterAfter, type ManagedFields } from './specWriter';

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

describe('whoever else wrote the spec', () => {
  it.each<[string, string | undefined, ManagedFields[]]>([
    ['is nobody on an object of nobody', undefined, []],
    ['is nobody where only we did', undefined, [wrote('us', 1)]],
    ['is whoever did after us', 'them', [wrote('us', 1), wrote('them', 2)]],
    [
      'is the last of several',
      'others',
      [wrote('them', 2), wrote('others', 3), wrote('us', 1)],
    ],
    [
      'is nobody who did before us: an object that we took over',
      undefined,
      [wrote('them', 1), wrote('us', 2)],
    ],
    [
      'is nobody on an object that we have never written',
      undefined,
      [wrote('them', 2)],
    ],
    [
      'is nobody who wrote the status',
      undefined,
      [wrote('us', 1), wrote('agent', 2, { subresource: 'status' })],
    ],
    [
      'is nobody who wrote labels',
      undefined,
      [wrote('us', 1), wrote('them', 2, { fieldsV1: { 'f:metadata': {} } })],
    ],
    [
      'is found where only our metadata is left of what we wrote',
      'them',
      [wrote('us', 1, { fieldsV1: { 'f:metadata': {} } }), wrote('them', 2)],
    ],
    [
      'is nobody within the same second',
      undefined,
      [wrote('us', 1), wrote('them', 1)],
    ],
  ])('%s', (_, manager, entries) => {
    expect(specWriterAfter('us', entries)?.manager).toBe(manager);
  });
});
