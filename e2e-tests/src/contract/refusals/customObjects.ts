import { WIDGETS } from '../hubUnderTest';
import { widget, WIDGET_TYPE, WIDGET_KIND } from '../testObjects';
import { invalid, Refusal, RULES_NOT_CHECKED } from '../refusal';

/** The creation of a widget with this spec, which its definition refuses. */
function refusedSpec(
  title: string,
  spec: object,
  causes: readonly string[],
): Refusal {
  return {
    title,
    request: ['POST', WIDGETS, widget(spec)],
    expected: invalid(WIDGET_KIND, 'w', causes),
  };
}

/** Custom objects that their definition refuses. */
export const REFUSED_CUSTOM_OBJECTS: readonly Refusal[] = [
  {
    title: 'a custom object without a name',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: {}, spec: { title: 'abc' } },
    ],
    expected: invalid(WIDGET_KIND, '', [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'a custom object without a spec',
    request: ['POST', WIDGETS, { ...WIDGET_TYPE, metadata: { name: 'w' } }],
    expected: invalid(WIDGET_KIND, 'w', [
      'FieldValueRequired spec: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'a missing required field',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: {} },
    ],
    expected: invalid(WIDGET_KIND, 'w', [
      'FieldValueRequired spec.title: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'an object field that is a string',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: 'x' },
    ],
    expected: invalid(WIDGET_KIND, 'w', [
      'FieldValueTypeInvalid spec: Invalid value: "string": spec in body must be of type object: "string"',
      RULES_NOT_CHECKED,
    ]),
  },
  {
    title: 'a required field that is null',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: null },
    ],
    expected: invalid(WIDGET_KIND, 'w', [
      'FieldValueRequired spec: Required value',
      RULES_NOT_CHECKED,
    ]),
  },
  refusedSpec('a string that is a number', { title: 5 }, [
    'FieldValueTypeInvalid spec.title: Invalid value: "integer": spec.title in body must be of type string: "integer"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a required string that is null', { title: null }, [
    'FieldValueRequired spec.title: Required value',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a string below its minimum length', { title: 'a' }, [
    'FieldValueInvalid spec.title: Invalid value: "a": spec.title in body should be at least 2 chars long',
  ]),
  refusedSpec('a string above its maximum length', { title: 'abcdefghijklm' }, [
    'FieldValueTooLong spec.title: Too long: may not be more than 12 bytes',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a string that does not match its pattern', { title: 'ABC' }, [
    'FieldValueInvalid spec.title: Invalid value: "ABC": spec.title in body should match \'^[a-z]+$\'',
  ]),
  refusedSpec('an integer below its minimum', { size: 0 }, [
    'FieldValueInvalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
  ]),
  refusedSpec('an integer above its maximum', { size: 11 }, [
    'FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
  ]),
  refusedSpec('an integer that is a fraction', { size: 1.5 }, [
    'FieldValueTypeInvalid spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"',
    'FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.size',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('an int32 above 32 bits', { replicas: 3000000000 }, [
    'FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.replicas',
  ]),
  refusedSpec('a number at its exclusive minimum', { ratio: 0 }, [
    'FieldValueInvalid spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0',
  ]),
  refusedSpec('a boolean that is a string', { enabled: 'yes' }, [
    'FieldValueTypeInvalid spec.enabled: Invalid value: "string": spec.enabled in body must be of type boolean: "string"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a value outside its enum', { color: 'blue' }, [
    'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('an int-or-string that is a list', { port: [] }, [
    'FieldValueTypeInvalid spec.port: Invalid value: "array": spec.port in body must be of type integer,string: "array"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('an int-or-string that is a fraction', { port: 1.5 }, [
    'FieldValueTypeInvalid spec.port: Invalid value: "number": spec.port in body must be of type integer,string: "number"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('an invalid date-time', { when: 'yesterday' }, [
    'FieldValueTypeInvalid spec.when: Invalid value: "yesterday": spec.when in body must be of type date-time: "yesterday"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a duplicate item of a set', { tags: ['a', 'a'] }, [
    'FieldValueDuplicate spec.tags[1]: Duplicate value: "a"',
  ]),
  refusedSpec('a list with too many items', { tags: ['a', 'b', 'c', 'd'] }, [
    'FieldValueTooMany spec.tags: Too many: 4: must have at most 3 items',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a list item of the wrong type', { tags: [1] }, [
    'FieldValueTypeInvalid spec.tags[0]: Invalid value: "integer": spec.tags[0] in body must be of type string: "integer"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('a list that is an object', { tags: {} }, [
    'FieldValueTypeInvalid spec.tags: Invalid value: "object": spec.tags in body must be of type array: "object"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec(
    'a duplicate key of a list map',
    { parts: [{ name: 'a' }, { name: 'a' }] },
    ['FieldValueDuplicate spec.parts[1]: Duplicate value: {"name":"a"}'],
  ),
  refusedSpec(
    'an item of a list map without its key',
    { parts: [{ count: 1 }] },
    [
      'FieldValueRequired spec.parts[0].name: Required value',
      RULES_NOT_CHECKED,
    ],
  ),
  refusedSpec(
    'a map with too many entries',
    { options: { a: '1', b: '2', c: '3' } },
    [
      'FieldValueTooMany spec.options: Too many: 3: must have at most 2 items',
      RULES_NOT_CHECKED,
    ],
  ),
  refusedSpec('a map value of the wrong type', { options: { a: 1 } }, [
    'FieldValueTypeInvalid spec.options.a: Invalid value: "integer": spec.options.a in body must be of type string: "integer"',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec(
    'an embedded object without a kind',
    { template: { apiVersion: 'v1', metadata: { name: 'x' } } },
    [
      'FieldValueRequired spec.template.kind: Required value',
      RULES_NOT_CHECKED,
    ],
  ),
  refusedSpec(
    'an embedded object without an API version',
    { template: { kind: 'ConfigMap' } },
    [
      'FieldValueRequired spec.template.apiVersion: Required value',
      RULES_NOT_CHECKED,
    ],
  ),
  refusedSpec(
    'an embedded object with an invalid label',
    {
      template: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', labels: { a: 'b c' } },
      },
    },
    [
      'FieldValueInvalid spec.template.metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanu…',
    ],
  ),
  refusedSpec('an object that matches no schema of oneOf', { contact: {} }, [
    'FieldValueInvalid <nil>: Invalid value: "": "spec.contact" must validate one and only one schema (oneOf). Found none valid',
    'FieldValueRequired spec.contact.email: Required value',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec(
    'an object that matches two schemas of oneOf',
    { contact: { email: 'a', phone: 'b' } },
    [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.contact" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
  ),
  refusedSpec(
    'an object that violates a rule over two fields',
    { range: { from: 2, to: 1 } },
    ['FieldValueInvalid spec.range: Invalid value: from must not be after to'],
  ),
  refusedSpec(
    'an object without a field that its rule needs',
    { range: { from: 2 } },
    ['FieldValueRequired spec.range.to: Required value', RULES_NOT_CHECKED],
  ),
  refusedSpec('a too long string that has a rule', { owner: 'x'.repeat(21) }, [
    'FieldValueTooLong spec.owner: Too long: may not be more than 20 bytes',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec('two invalid values', { size: 11, color: 'blue' }, [
    'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
    'FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    RULES_NOT_CHECKED,
  ]),
  refusedSpec(
    'a wrong type and an invalid value',
    { title: 5, color: 'blue' },
    [
      'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
      'FieldValueTypeInvalid spec.title: Invalid value: "integer": spec.title in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
  ),
  refusedSpec('an item of a list map that is a list', { parts: [[]] }, [
    'FieldValueTypeInvalid spec.parts[0]: Invalid value: "array": spec.parts[0] in body must be of type object: "array"',
    'FieldValueInvalid spec.parts[0]: Invalid value: []: must be an object for an array of list-type map',
    RULES_NOT_CHECKED,
  ]),
];
