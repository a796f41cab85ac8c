import {
  Application,
  ApplicationSet,
  ApplicationTemplate,
} from '../kubernetes/argocdTypes';
import { GeneratorInputs } from './generatorInputs';
import { GeneratedParams, generatorParams } from './generatorParams';
import { renderDeep, renderer, TemplateParams } from './renderTemplate';
import { overriddenTemplate } from './templateOverride';
import { patchedApplication } from './templatePatch';

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
  const steps = generationSteps(applicationSet, inputs);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** The same, one Application a step. */
export function* generationSteps(
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
): Generator<undefined, Generated> {
  const generated: Generated = { applications: [] };
  const fail = (reason: string, cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    generated.error ??= { reason, message };
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
      const own = overriddenTemplate(template, common);
      for (const each of params) {
        try {
          generated.applications.push(
            renderApplication(own, each, applicationSet),
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
  // Argo CD leaves the template as it is when there is nothing to put in,
  // and adds no finalizer to it then.
  const nothing = Object.keys(params).length === 0;
  let application = nothing ? plain : renderDeep(plain, params, render);
  if (
    !nothing &&
    !syncPolicy?.preserveResourcesOnDeletion &&
    !application.metadata.finalizers?.length
  ) {
    application = withFinalizers(application, [RESOURCES_FINALIZER]);
  }
  if (templatePatch !== undefined) {
    application = patchedApplication(
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
