import {
  Application,
  ApplicationSet,
  ApplicationSetGenerator,
  ApplicationTemplate,
} from '../kubernetes/argocdTypes';
import { deepMerge, isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';
import { matchesLabels } from '../placement/labelSelector';
import { clusterDecisionParams, GeneratorInputs } from './clusterDecisions';
import { listParams } from './listElements';
import {
  renderDeep,
  renderGoFields,
  renderPlain,
  TemplateParams,
} from './renderTemplate';

export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** What an ApplicationSet generates, or the first reason why it does not. */
export interface Generated {
  applications: Application[];
  /** As Argo CD puts it into the conditions. */
  error?: { reason: string; message: string };
}

/** The Applications of an ApplicationSet; pure, and it goes on past a failure as Argo CD does. */
export function generateApplications(
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): Generated {
  const generated: Generated = { applications: [] };
  const fail = (reason: string, cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    generated.error ??= { reason, message };
  };
  for (const generator of applicationSet.spec?.generators ?? []) {
    let elements: { params: TemplateParams[]; template: ApplicationTemplate };
    try {
      elements = elementsOf(generator, applicationSet, inputs);
    } catch (error) {
      fail('ApplicationGenerationFromParamsError', error);
      continue;
    }
    for (const params of elements.params) {
      try {
        generated.applications.push(
          renderApplication(elements.template, params, applicationSet),
        );
      } catch (error) {
        fail('RenderTemplateParamsError', error);
      }
    }
  }
  return generated;
}

function elementsOf(
  generator: ApplicationSetGenerator,
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
) {
  const { clusterDecisionResource, list, selector, ...others } = generator;
  const unsupported = Object.keys(others).filter(
    name => others[name] !== undefined,
  );
  if (unsupported.length > 0) {
    throw new Error(
      `the simulated ApplicationSet controller has no generator "${unsupported.join(
        '", "',
      )}": use clusterDecisionResource or list`,
    );
  }
  const params = clusterDecisionResource
    ? clusterDecisionParams(clusterDecisionResource, applicationSet, inputs)
    : listParams(list ?? {}, applicationSet);
  const override = (clusterDecisionResource ?? list)?.template;
  return {
    params: params.filter(element =>
      matchesLabels(selector, flatLabels(element)),
    ),
    template: override
      ? (deepMerge(
          (applicationSet.spec?.template ?? {}) as JsonObject,
          withoutEmpty(override as JsonObject),
        ) as ApplicationTemplate)
      : (applicationSet.spec?.template ?? {}),
  };
}

function renderApplication(
  template: ApplicationTemplate,
  params: TemplateParams,
  applicationSet: ApplicationSet,
): Application {
  const spec = applicationSet.spec ?? {};
  if (spec.templatePatch) {
    throw new Error(
      'the simulated ApplicationSet controller does not render templatePatch',
    );
  }
  const {
    name = '',
    labels,
    annotations,
    finalizers,
  } = template.metadata ?? {};
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, labels, annotations, finalizers },
    spec: template.spec as Application['spec'],
  };
  // Argo CD leaves the template as it is when there is nothing to put in.
  const rendered =
    Object.keys(params).length === 0
      ? application
      : renderDeep(
          application,
          params,
          spec.goTemplate
            ? renderGoFields(spec.goTemplateOptions ?? [])
            : renderPlain,
        );
  const keepsFinalizers =
    Object.keys(params).length === 0 ||
    spec.syncPolicy?.preserveResourcesOnDeletion ||
    rendered.metadata.finalizers?.length;
  return {
    ...rendered,
    metadata: {
      ...rendered.metadata,
      namespace: applicationSet.metadata.namespace,
      finalizers: keepsFinalizers
        ? rendered.metadata.finalizers
        : [RESOURCES_FINALIZER],
    },
    spec: { ...rendered.spec, project: rendered.spec?.project || 'default' },
  };
}

/** A generator's `selector` looks at its parameters as if they were labels. */
function flatLabels(params: TemplateParams): Record<string, string> {
  const labels: Record<string, string> = {};
  const visit = (value: unknown, path: string) => {
    if (isJsonObject(value)) {
      Object.entries(value).forEach(([key, nested]) =>
        visit(nested, path ? `${path}.${key}` : key),
      );
    } else {
      labels[path] = String(value);
    }
  };
  visit(params, '');
  return labels;
}

/** Empty fields of a generator's own template do not override the common one. */
function withoutEmpty(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, nested]): [string, unknown] => [
        key,
        isJsonObject(nested) ? withoutEmpty(nested) : nested,
      ])
      .filter(
        ([, nested]) =>
          nested !== '' && nested !== null && nested !== undefined,
      ),
  );
}
