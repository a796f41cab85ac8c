import {
  ApplicationSet,
  ApplicationSetGenerator,
  ApplicationTemplate,
} from '../kubernetes/argocdTypes';
import { clusterDecisionParams } from './clusterDecisions';
import { clusterParams } from './clusterParams';
import { matrixRow, mergeRows } from './combineParams';
import { GeneratorInputs } from './generatorInputs';
import { listParams } from './listElements';
import { renderDeep, renderer, TemplateParams } from './renderTemplate';
import { errorMessage } from '../runtime/errorMessage';
import { selectorError, selectsParams } from './selectors';

/** The result of one generator: a set of parameters for each Application, and its own template. */
export interface GeneratedParams {
  params: TemplateParams[];
  template?: ApplicationTemplate;
}

/** The allowed levels of further nesting: Argo CD stops at a combination within a combination. */
type Depth = 0 | 1 | 2;

// In Argo CD's order, which determines the order of results of one entry with several generators.
const GENERATORS = [
  'list',
  'clusters',
  'git',
  'scmProvider',
  'clusterDecisionResource',
  'pullRequest',
  'matrix',
  'merge',
  'plugin',
] as const;

/**
 * Runs all generators of one entry of `generators`. A combination calls this
 * function recursively for its children; `outer` are the parameters of a
 * matrix's first generator, with which its second one is rendered.
 *
 * @throws Error in Argo CD's words at the first invalid generator.
 */
export function generatorParams(
  entry: ApplicationSetGenerator,
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
  depth: Depth = 2,
  outer: TemplateParams = {},
): GeneratedParams[] {
  const { selector } = entry;
  const error = selector && selectorError(selector, 'parameters');
  if (error) {
    throw new Error(`error parsing label selector: ${error}`);
  }
  const desired = GENERATORS.filter(name => {
    const tooDeep = depth === 0 && (name === 'matrix' || name === 'merge');
    return entry[name] !== undefined && entry[name] !== null && !tooDeep;
  });
  const rendered =
    Object.keys(outer).length > 0
      ? renderDeep(entry, outer, renderer(applicationSet))
      : entry;
  return desired.map(name => {
    const params = paramsOf(name, rendered, applicationSet, inputs, depth);
    return {
      params: selector
        ? params.filter(each => selectsParams(selector, each))
        : params,
      template: templateOf(entry, name),
    };
  });
}

/** Whether a set has a generator, directly or in a combination. */
export function hasGenerator(
  { spec }: ApplicationSet,
  name: (typeof GENERATORS)[number],
): boolean {
  const has = (entry: ApplicationSetGenerator): boolean =>
    Boolean(entry[name]) ||
    [
      ...(entry.matrix?.generators ?? []),
      ...(entry.merge?.generators ?? []),
    ].some(has);
  return Boolean(spec?.generators?.some(has));
}

function templateOf(
  entry: ApplicationSetGenerator,
  name: (typeof GENERATORS)[number],
): ApplicationTemplate | undefined {
  switch (name) {
    case 'list':
    case 'clusters':
    case 'clusterDecisionResource':
    case 'matrix':
    case 'merge':
      return entry[name]?.template;
    default:
      return undefined;
  }
}

function paramsOf(
  name: (typeof GENERATORS)[number],
  entry: ApplicationSetGenerator,
  applicationSet: ApplicationSet,
  inputs: GeneratorInputs,
  depth: Depth,
): TemplateParams[] {
  const goTemplate = applicationSet.spec?.goTemplate === true;
  /** The parameters of a child of a combination; the child must be exactly one generator. */
  const child = (generator: ApplicationSetGenerator, outer?: TemplateParams) =>
    onlyParams(
      generatorParams(
        generator,
        applicationSet,
        inputs,
        depth === 2 ? 1 : 0,
        outer,
      ),
    );
  switch (name) {
    case 'list':
      return listParams(entry.list ?? {}, applicationSet);
    case 'clusters':
      return clusterParams(entry.clusters ?? {}, applicationSet, inputs);
    case 'clusterDecisionResource':
      return clusterDecisionParams(
        entry.clusterDecisionResource ?? { configMapRef: '' },
        applicationSet,
        inputs,
      );
    case 'matrix': {
      const [first, second] = twoChildren(entry.matrix?.generators ?? []);
      return withErrorContext(
        'error failed to get params for first generator in matrix generator',
        () => child(first),
      ).flatMap(outer =>
        withErrorContext(
          'failed to get params for second generator in the matrix generator',
          () => child(second, outer),
        ).map(inner => matrixRow(outer, inner, goTemplate)),
      );
    }
    case 'merge': {
      const { generators = [], mergeKeys = [] } = entry.merge ?? {};
      if (generators.length < 2) {
        throw new Error(
          'found less than two generators, Merge requires two or more',
        );
      }
      const rows = generators.map((generator, index) =>
        withErrorContext(
          `error getting param sets from generators: error getting params from generator ${
            index + 1
          } of ${generators.length}`,
          () => child(generator),
        ),
      );
      return mergeRows(mergeKeys, rows, goTemplate);
    }
    default:
      throw new Error(
        `the simulated ApplicationSet controller has no generator "${name}": use list, clusters, clusterDecisionResource, matrix or merge`,
      );
  }
}

function twoChildren(
  generators: readonly ApplicationSetGenerator[],
): readonly ApplicationSetGenerator[] {
  if (generators.length !== 2) {
    throw new Error(
      `found ${generators.length < 2 ? 'less' : 'more'} than two generators, Matrix support only two`,
    );
  }
  return generators;
}

function onlyParams(generated: readonly GeneratedParams[]): TemplateParams[] {
  if (generated.length === 0) {
    throw new Error('child generator generated no parameters');
  }
  if (generated.length > 1) {
    throw new Error('found more than one generator in matrix.Generators');
  }
  return generated[0].params;
}

function withErrorContext<T>(context: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${context}: ${errorMessage(error)}`);
  }
}
