import { findJsonPath, goType } from 'apimachinery';

import { KubeObject, versionOf } from '../kubernetes/objects';
import {
  FeedbackRule,
  FeedbackValue,
  FieldValue,
} from '../kubernetes/workTypes';
import { wellKnownPaths } from './wellKnownStatus';

/** Values that came home, and what went wrong with the others. */
export interface Feedback {
  values: FeedbackValue[];
  errors: string[];
}

type JsonPath = NonNullable<FeedbackRule['jsonPaths']>[number];

/** Reads an object's feedback by a manifest's rules, as OCM's agent does; one path that fails leaves the others. */
export function readFeedback(
  object: KubeObject,
  rules: readonly FeedbackRule[],
): Feedback {
  const values: FeedbackValue[] = [];
  const errors: string[] = [];
  for (const rule of rules) {
    const failures: string[] = [];
    try {
      for (const path of pathsOf(object, rule)) {
        readPath(object, path, values, failures);
      }
    } catch (error) {
      failures.push(messageOf(error));
    }
    if (failures.length > 0) {
      errors.push(aggregate(failures));
    }
  }
  return { values, errors };
}

/** Several errors as apimachinery's aggregate words them. */
export function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
}

function pathsOf(object: KubeObject, rule: FeedbackRule): readonly JsonPath[] {
  return rule.type === 'WellKnownStatus'
    ? wellKnownPaths(object)
    : (rule.jsonPaths ?? []);
}

function readPath(
  object: KubeObject,
  { name, path, version }: JsonPath,
  values: FeedbackValue[],
  failures: string[],
) {
  if (version && version !== versionOf(object.apiVersion)) {
    failures.push(
      `version set in the path ${name} is not matched for the related resource`,
    );
    return;
  }
  let found: unknown;
  try {
    [found] = findJsonPath(path, object);
  } catch (error) {
    failures.push(
      `failed to find value for ${name} with error: ${messageOf(error)}`,
    );
    return;
  }
  if (found === undefined || found === null) {
    return;
  }
  const fieldValue = fieldValueOf(found);
  if (fieldValue) {
    values.push({ name, fieldValue });
  } else {
    failures.push(
      `the type ${goType(found)} of the value for ${name} is not found`,
    );
  }
}

function fieldValueOf(value: unknown): FieldValue | undefined {
  if (typeof value === 'string') {
    return { type: 'String', string: value };
  }
  if (typeof value === 'boolean') {
    return { type: 'Boolean', boolean: value };
  }
  if (typeof value === 'number' && Number.isInteger(value)) {
    return { type: 'Integer', integer: value };
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
