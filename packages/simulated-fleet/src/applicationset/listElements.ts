import { parse } from 'yaml';

import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';
import { errorMessage } from '../runtime/errorMessage';
import { TemplateParams } from './renderTemplate';

/**
 * The parameters of the `list` generator: one set for each element.
 *
 * @throws Error in Argo CD's words if an element is not a flat map of strings.
 */
export function listParams(
  generator: NonNullable<ApplicationSetGenerator['list']>,
  applicationSet: ApplicationSet,
): TemplateParams[] {
  const elements = (generator.elements ?? []).map(element =>
    applicationSet.spec?.goTemplate ? element : flatParams(element),
  );
  return generator.elementsYaml
    ? [...elements, ...yamlElements(generator.elementsYaml)]
    : elements;
}

function yamlElements(source: string): JsonObject[] {
  let elements: unknown;
  try {
    elements = parse(source);
  } catch (error) {
    throw new Error(
      `error unmarshling decoded ElementsYaml ${errorMessage(error)}`,
    );
  }
  if (elements === null) {
    return [];
  }
  if (!Array.isArray(elements) || !elements.every(isJsonObject)) {
    throw new Error(
      'error unmarshling decoded ElementsYaml: it is not a list of maps',
    );
  }
  return elements;
}

function flatParams(element: JsonObject): TemplateParams {
  const params: TemplateParams = {};
  for (const [key, value] of Object.entries(element)) {
    if (key === 'values') {
      if (!isJsonObject(value)) {
        throw new Error('error parsing values map');
      }
      for (const [name, nested] of Object.entries(value)) {
        params[`values.${name}`] = text(nested);
      }
    } else {
      params[key] = text(value);
    }
  }
  return params;
}

function text(value: unknown): string {
  if (typeof value !== 'string') {
    throw new Error('error parsing value as string');
  }
  return value;
}
