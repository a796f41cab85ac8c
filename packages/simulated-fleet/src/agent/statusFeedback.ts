import { findJsonPath, goType } from 'apimachinery';

import { KubeObject, versionOf } from '../kubernetes/objects';
import { errorMessage } from '../runtime/errorMessage';
import {
  FeedbackRule,
  FeedbackValue,
  FieldValue,
} from '../kubernetes/workTypes';
import { wellKnownPaths } from './wellKnownStatus';

/** The feedback values of an object, and the errors of the rules that failed. */
export interface Feedback {
  values: FeedbackValue[];
  errors: string[];
}

type JsonPath = NonNullable<FeedbackRule['jsonPaths']>[number];

/** Reads the feedback values of an object as OCM's agent does; a failing path does not affect the others. */
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
      failures.push(errorMessage(error));
    }
    if (failures.length > 0) {
      errors.push(aggregate(failures));
    }
  }
  return { values, errors };
}

/** Joins error messages in the format of apimachinery's Aggregate. */
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
      `failed to find value for ${name} with error: ${errorMessage(error)}`,
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
