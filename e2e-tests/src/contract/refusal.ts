import { Answer, Headers } from './httpClient';

/** A request that every server refuses, and how. A text that ends in `…` goes on in words that are no part of the contract. */
export interface Refusal {
  readonly title: string;
  readonly request: readonly [
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ];
  readonly status: number;
  readonly reason?: string;
  readonly message?: string;
  /** The body, where it is no `Status`. */
  readonly text?: string;
  /** `<reason> <field>: <message>` of each, in any order. */
  readonly causes?: readonly string[];
  readonly details?: object;
}

/** What Kubernetes adds when an object is not in the form that the definition's rules expect. */
export const RULES_NOT_CHECKED =
  'FieldValueInvalid <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

function matching(expected: string) {
  return expected.endsWith('…')
    ? expect.stringContaining(expected.slice(0, -1))
    : expected;
}

/** Checks the whole answer: a refusal is a promise to every client that reads it. */
export function expectRefusal(answer: Answer, refusal: Refusal): void {
  const { status, reason, message, text, causes, details } = refusal;
  expect(answer.status).toBe(status);
  if (text !== undefined) {
    expect(answer.text).toBe(text);
    return;
  }
  expect(answer.body).toMatchObject({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: status,
  });
  expect(answer.body.reason).toBe(reason);
  expect(answer.body.message).toEqual(matching(message ?? ''));
  if (details) {
    expect(answer.body.details).toMatchObject(details);
  }
  if (causes) {
    const found = (answer.body.details.causes as readonly Cause[]).map(
      cause => `${cause.reason} ${cause.field}: ${cause.message}`,
    );
    expect([...new Set(found)].sort()).toEqual(
      [...causes].sort().map(matching),
    );
  }
}
