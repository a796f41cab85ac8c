import { parse } from 'yaml';

import { Application } from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';
import { TemplateError } from './renderTemplate';

/**
 * An Application with a rendered `templatePatch` over it: maps key by key, null
 * takes a key away, lists are replaced, finalizers are added. The project stays.
 *
 * @throws TemplateError when the patch is no object, or uses the directives of strategic merge patches.
 */
export function patchedApplication(
  application: Application,
  text: string,
): Application {
  let patch: unknown;
  try {
    patch = parse(text);
  } catch (error) {
    throw new TemplateError(
      `error while converting template to json ${JSON.stringify(text)}: ${
        error instanceof Error ? error.message : error
      }`,
    );
  }
  if (!isJsonObject(patch)) {
    throw new TemplateError(
      `invalid templatePatch ${JSON.stringify(text)}: it is not an object`,
    );
  }
  // The Application's shape is kept: a patch that breaks it is refused by the hub.
  const patched = merged(
    application as unknown as JsonObject,
    patch,
  ) as unknown as Application;
  const finalizers = [
    ...(patched.metadata.finalizers ?? []),
    ...(application.metadata.finalizers ?? []),
  ];
  return {
    ...patched,
    metadata: { ...patched.metadata, finalizers: [...new Set(finalizers)] },
    spec: { ...patched.spec, project: application.spec?.project },
  };
}

function merged(target: JsonObject, patch: JsonObject): JsonObject {
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (key.startsWith('$')) {
      throw new TemplateError(
        `the simulated ApplicationSet controller does not follow the directive ${key} in templatePatch`,
      );
    }
    if (value === null) {
      delete result[key];
    } else if (isJsonObject(value)) {
      result[key] = merged(isJsonObject(before) ? before : {}, value);
    } else {
      result[key] = value;
    }
  }
  return result;
}
