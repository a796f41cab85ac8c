import { KubeObject } from '../kubernetes/objects';
import { FeedbackRule } from '../kubernetes/workTypes';
import { readFeedback } from './statusFeedback';

const object: KubeObject & { data: object } = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api' },
  data: {
    text: 'a',
    count: 3,
    ratio: 0.5,
    flag: true,
    map: { a: 1 },
    list: [],
    none: null,
  },
  status: { readyReplicas: 2, replicas: 3 },
};
const paths = (...list: string[]): FeedbackRule => ({
  type: 'JSONPaths',
  jsonPaths: list.map((path, index) => ({ name: `v${index}`, path })),
});

describe('feedback', () => {
  it.each<[string, FeedbackRule, unknown[]]>([
    [
      'values of every type that the agent knows',
      paths('.data.text', '.data.count', '.data.flag'),
      [
        { type: 'String', string: 'a' },
        { type: 'Integer', integer: 3 },
        { type: 'Boolean', boolean: true },
      ],
    ],
    [
      'no value for absent fields',
      paths('.data.no', '.data.none', '.data.list[*]'),
      [],
    ],
    [
      'well-known statuses',
      { type: 'WellKnownStatus' },
      [
        { type: 'Integer', integer: 2 },
        { type: 'Integer', integer: 3 },
      ],
    ],
  ])('returns %s without errors', (_, rule, expected) => {
    const { values, errors } = readFeedback(object, [rule]);
    expect(values.map(({ fieldValue }) => fieldValue)).toEqual(expected);
    expect(errors).toEqual([]);
  });

  it.each<[string, FeedbackRule, string]>([
    [
      'an index on an empty list',
      paths('.data.list[0]'),
      'failed to find value for v0 with error: array index out of bounds: index 0, length 0',
    ],
    [
      'a fraction',
      paths('.data.ratio'),
      'the type float64 of the value for v0 is not found',
    ],
    [
      'an object',
      paths('.data.map'),
      'the type map[string]interface {} of the value for v0 is not found',
    ],
    [
      'a list',
      paths('.data.list'),
      'the type []interface {} of the value for v0 is not found',
    ],
    [
      'an index on an object',
      paths('.data.map[0]'),
      'map[string]interface {} is not array or slice',
    ],
    ['what is no path', paths('.data[abc]'), 'invalid array index abc'],
    [
      'several at once',
      paths('.data.list[0]', '.data.map'),
      '[failed to find value for v0',
    ],
    [
      'another version',
      {
        type: 'JSONPaths',
        jsonPaths: [{ name: 'v', path: '.data.text', version: 'v2' }],
      },
      'version set in the path v is not matched for the related resource',
    ],
  ])(
    'reports the error of %s, and returns the other values',
    (_, rule, error) => {
      const { values, errors } = readFeedback(object, [
        rule,
        { type: 'WellKnownStatus' },
      ]);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain(error);
      expect(values).toHaveLength(2);
    },
  );

  it('has no well-known status for other kinds', () => {
    expect(
      readFeedback({ ...object, apiVersion: 'v1', kind: 'ConfigMap' }, [
        { type: 'WellKnownStatus' },
      ]).errors,
    ).toEqual([
      'cannot find the wellknown statuses for resource with gvk /v1, Kind=ConfigMap',
    ]);
  });
});
