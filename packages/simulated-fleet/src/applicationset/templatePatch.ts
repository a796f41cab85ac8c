import { parse } from 'yaml';

import { Application } from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';
import { errorMessage } from '../runtime/errorMessage';
import { JsonObject } from '../kubernetes/objects';
import { TemplateError } from './renderTemplate';

/**
 * Applies a rendered `templatePatch`: maps are merged, null removes a key, lists
 * are replaced, finalizers are added. The project does not change.
 *
 * @throws TemplateError if the patch is not an object, or uses directives of strategic merge patches.
 */
export function applyTemplatePatch(
  application: Application,
  text: string,
): Application {
  let patch: unknown;
  try {
    patch = parse(text);
  } catch (error) {
    throw new TemplateError(
      `error while converting template to json ${JSON.stringify(text)}: ${errorMessage(
        error,
      )}`,
    );
  }
  if (!isJsonObject(patch)) {
    throw new TemplateError(
      `invalid templatePatch ${JSON.stringify(text)}: it is not an object`,
    );
  }
  // The cast is safe enough: the hub rejects an Application of another shape.
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
        `the simulated ApplicationSet controller does not support the directive ${key} in templatePatch`,
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
