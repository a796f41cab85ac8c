import { WIDGETS } from '../hubUnderTest';
import { widget, WIDGET_TYPE } from '../objects';
import { Refusal, RULES_NOT_CHECKED } from '../refusal';

/** Custom objects that their definition refuses. */
export const REFUSED_CONTENTS: readonly Refusal[] = [
  {
    title: 'no name, of a definition',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: {}, spec: { title: 'abc' } },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "" is invalid: …',
    causes: [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
      RULES_NOT_CHECKED,
    ],
    details: { group: 'contract.argocd-fleet.example', kind: 'Widget' },
  },
  {
    title: 'no spec',
    request: ['POST', WIDGETS, { ...WIDGET_TYPE, metadata: { name: 'w' } }],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: ['FieldValueRequired spec: Required value', RULES_NOT_CHECKED],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'no title',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: {} },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.title: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a spec that is text',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: 'x' },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec: Invalid value: "string": spec in body must be of type object: "string"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a spec that is null',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 'w' }, spec: null },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: ['FieldValueRequired spec: Required value', RULES_NOT_CHECKED],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a title that is a number',
    request: ['POST', WIDGETS, widget({ title: 5 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.title: Invalid value: "integer": spec.title in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a title that is null',
    request: ['POST', WIDGETS, widget({ title: null })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.title: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a title that is too short',
    request: ['POST', WIDGETS, widget({ title: 'a' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.title: Invalid value: "a": spec.title in body should be at least 2 chars long',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a title that is too long',
    request: ['POST', WIDGETS, widget({ title: 'abcdefghijklm' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTooLong spec.title: Too long: may not be more than 12 bytes',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a title that does not match',
    request: ['POST', WIDGETS, widget({ title: 'ABC' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.title: Invalid value: "ABC": spec.title in body should match \'^[a-z]+$\'',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a size below its minimum',
    request: ['POST', WIDGETS, widget({ size: 0 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a size above its maximum',
    request: ['POST', WIDGETS, widget({ size: 11 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a size that is a fraction',
    request: ['POST', WIDGETS, widget({ size: 1.5 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"',
      'FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.size',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'replicas beyond 32 bits',
    request: ['POST', WIDGETS, widget({ replicas: 3000000000 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.replicas',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a ratio at an exclusive minimum',
    request: ['POST', WIDGETS, widget({ ratio: 0 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'enabled that is text',
    request: ['POST', WIDGETS, widget({ enabled: 'yes' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.enabled: Invalid value: "string": spec.enabled in body must be of type boolean: "string"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a color that is no choice',
    request: ['POST', WIDGETS, widget({ color: 'blue' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a port that is a list',
    request: ['POST', WIDGETS, widget({ port: [] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.port: Invalid value: "array": spec.port in body must be of type integer,string: "array"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a port that is a fraction',
    request: ['POST', WIDGETS, widget({ port: 1.5 })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.port: Invalid value: "number": spec.port in body must be of type integer,string: "number"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a time that is none',
    request: ['POST', WIDGETS, widget({ when: 'yesterday' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.when: Invalid value: "yesterday": spec.when in body must be of type date-time: "yesterday"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'the same tag twice',
    request: ['POST', WIDGETS, widget({ tags: ['a', 'a'] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: ['FieldValueDuplicate spec.tags[1]: Duplicate value: "a"'],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'too many tags',
    request: ['POST', WIDGETS, widget({ tags: ['a', 'b', 'c', 'd'] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTooMany spec.tags: Too many: 4: must have at most 3 items',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a tag that is a number',
    request: ['POST', WIDGETS, widget({ tags: [1] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.tags[0]: Invalid value: "integer": spec.tags[0] in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'tags that are an object',
    request: ['POST', WIDGETS, widget({ tags: {} })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.tags: Invalid value: "object": spec.tags in body must be of type array: "object"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'the same part twice',
    request: [
      'POST',
      WIDGETS,
      widget({ parts: [{ name: 'a' }, { name: 'a' }] }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueDuplicate spec.parts[1]: Duplicate value: {"name":"a"}',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a part without its name',
    request: ['POST', WIDGETS, widget({ parts: [{ count: 1 }] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.parts[0].name: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'too many options',
    request: ['POST', WIDGETS, widget({ options: { a: '1', b: '2', c: '3' } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTooMany spec.options: Too many: 3: must have at most 2 items',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'an option that is a number',
    request: ['POST', WIDGETS, widget({ options: { a: 1 } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.options.a: Invalid value: "integer": spec.options.a in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'an embedded object without a kind',
    request: [
      'POST',
      WIDGETS,
      widget({ template: { apiVersion: 'v1', metadata: { name: 'x' } } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.template.kind: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'an embedded object without an API version',
    request: ['POST', WIDGETS, widget({ template: { kind: 'ConfigMap' } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.template.apiVersion: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'an embedded object with an illegal label',
    request: [
      'POST',
      WIDGETS,
      widget({
        template: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'x', labels: { a: 'b c' } },
        },
      }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.template.metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanu…',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'no way to contact',
    request: ['POST', WIDGETS, widget({ contact: {} })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.contact" must validate one and only one schema (oneOf). Found none valid',
      'FieldValueRequired spec.contact.email: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'two ways to contact',
    request: ['POST', WIDGETS, widget({ contact: { email: 'a', phone: 'b' } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid <nil>: Invalid value: "": "spec.contact" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a range that ends before it begins',
    request: ['POST', WIDGETS, widget({ range: { from: 2, to: 1 } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueInvalid spec.range: Invalid value: from must not be after to',
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a range without an end',
    request: ['POST', WIDGETS, widget({ range: { from: 2 } })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueRequired spec.range.to: Required value',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'an owner that is too long',
    request: ['POST', WIDGETS, widget({ owner: 'x'.repeat(21) })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTooLong spec.owner: Too long: may not be more than 20 bytes',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'two things wrong at once',
    request: ['POST', WIDGETS, widget({ size: 11, color: 'blue' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
      'FieldValueInvalid spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a wrong type and a wrong value',
    request: ['POST', WIDGETS, widget({ title: 5, color: 'blue' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueNotSupported spec.color: Unsupported value: "blue": supported values: "red", "green"',
      'FieldValueTypeInvalid spec.title: Invalid value: "integer": spec.title in body must be of type string: "integer"',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a list as a part',
    request: ['POST', WIDGETS, widget({ parts: [[]] })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "w" is invalid: …',
    causes: [
      'FieldValueTypeInvalid spec.parts[0]: Invalid value: "array": spec.parts[0] in body must be of type object: "array"',
      'FieldValueInvalid spec.parts[0]: Invalid value: []: must be an object for an array of list-type map',
      RULES_NOT_CHECKED,
    ],
    details: {
      name: 'w',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
];
