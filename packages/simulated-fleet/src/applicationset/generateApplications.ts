import {
  Application,
  ApplicationSet,
  ApplicationTemplate,
} from '../kubernetes/argocdTypes';
import { errorMessage } from '../runtime/errorMessage';
import { GeneratorInputs } from './generatorInputs';
import { GeneratedParams, generatorParams } from './generatorParams';
import { renderDeep, renderer, TemplateParams } from './renderTemplate';
import { mergeTemplates } from './templateOverride';
import { applyTemplatePatch } from './templatePatch';

/** Argo CD's finalizer that deletes an Application's resources with the Application. */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** The result of a generation: Applications, and the first error. */
export interface GenerationResult {
  applications: Application[];
  /** Reason and message for Argo CD's conditions. */
  error?: { reason: string; message: string };
}

/** Generates the Applications of an ApplicationSet; as in Argo CD, a failure does not stop the others. */
export function generateApplications(
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): GenerationResult {
  const steps = generationSteps(applicationSet, inputs);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** {@link generateApplications} as an iterator that yields after each Application. */
export function* generationSteps(
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): Generator<undefined, GenerationResult> {
  const generated: GenerationResult = { applications: [] };
  const fail = (reason: string, cause: unknown) => {
    generated.error ??= { reason, message: errorMessage(cause) };
  };
  const common = applicationSet.spec?.template ?? {};
  for (const generator of applicationSet.spec?.generators ?? []) {
    let results: GeneratedParams[];
    try {
      results = generatorParams(generator, applicationSet, inputs);
    } catch (error) {
      fail('ApplicationGenerationFromParamsError', error);
      continue;
    }
    for (const { params, template } of results) {
      const merged = mergeTemplates(template, common);
      for (const each of params) {
        try {
          generated.applications.push(
            renderApplication(merged, each, applicationSet),
          );
        } catch (error) {
          fail('RenderTemplateParamsError', error);
        }
        yield;
      }
    }
  }
  return generated;
}

function renderApplication(
  template: ApplicationTemplate,
  params: TemplateParams,
  applicationSet: ApplicationSet,
): Application {
  const { templatePatch, syncPolicy } = applicationSet.spec ?? {};
  const {
    name = '',
    labels,
    annotations,
    finalizers,
  } = template.metadata ?? {};
  const plain: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, labels, annotations, finalizers },
    spec: template.spec as Application['spec'],
  };
  const render = renderer(applicationSet);
  // Without parameters, Argo CD does not render the template and adds no finalizer.
  const hasParams = Object.keys(params).length > 0;
  let application = hasParams ? renderDeep(plain, params, render) : plain;
  if (
    hasParams &&
    !syncPolicy?.preserveResourcesOnDeletion &&
    !application.metadata.finalizers?.length
  ) {
    application = withFinalizers(application, [RESOURCES_FINALIZER]);
  }
  if (templatePatch !== undefined) {
    application = applyTemplatePatch(
      application,
      render(templatePatch, params),
    );
  }
  const { namespace } = applicationSet.metadata;
  return { ...application, metadata: { ...application.metadata, namespace } };
}

function withFinalizers(
  application: Application,
  finalizers: string[],
): Application {
  return {
    ...application,
    metadata: { ...application.metadata, finalizers },
  };
}
