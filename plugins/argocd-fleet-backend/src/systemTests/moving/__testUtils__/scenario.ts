import { defaultScenario, type Scenario } from 'simulated-fleet';
import { EXAMPLE_SET } from '../../../__testUtils__/exampleFleet';

/** Clusters on which each ApplicationSet of {@link movingScenario} runs. */
export const CLUSTERS = ['cluster1', 'pcluster1', 'pcluster2'];

type ScenarioObject = Scenario['objects'][number];

/** Options of {@link movingScenario}. */
export interface MovingScenarioOptions {
  /** Whether the example's forty edge clusters are there too, with their ApplicationSet. */
  readonly withEdges?: boolean;
  readonly faults?: Scenario['faults'];
}

const OF_EDGES = [
  'edge-clusters',
  'edge-stores',
  'edge-importer',
  'inventory-edge',
];

function exampleObject(kind: string, name: string): ScenarioObject {
  return defaultScenario.objects.find(
    object => object.kind === kind && object.metadata.name === name,
  )!;
}

/** The example's ApplicationSet under another name, with a Placement and a namespace on the clusters of its own. */
function renamed(set: string): ScenarioObject[] {
  const { metadata, ...rest } = exampleObject(
    'ApplicationSet',
    EXAMPLE_SET.name,
  );
  const placement = exampleObject('Placement', 'aws-app-placement');
  const spec = JSON.stringify(rest.spec)
    .replace('{{name}}-guestbook-app', `{{name}}-${set}`)
    .replace('aws-app-placement', set)
    .replace('"namespace":"guestbook"', `"namespace":"${set}"`)
    .replace('"labels":{', '"labels":{"cluster":"{{name}}",');
  return [
    { ...placement, metadata: { ...placement.metadata, name: set } },
    { ...rest, metadata: { ...metadata, name: set }, spec: JSON.parse(spec) },
  ];
}

/**
 * The clusters of the product documentation's example, with its ApplicationSet once under each of these names: on one hub,
 * each test has one for itself. Its Applications have the cluster as a label. All clusters report, and nothing fails but
 * the faults.
 */
export function movingScenario(
  sets: readonly string[],
  { withEdges = false, faults = [] }: MovingScenarioOptions = {},
): Scenario {
  const leftOut = [
    EXAMPLE_SET.name,
    'payments-push',
    ...(withEdges ? [] : OF_EDGES),
  ];
  return {
    ...defaultScenario,
    faults,
    timeline: [],
    clusters: defaultScenario.clusters
      .filter(({ name }) => withEdges || !name.startsWith('edge-'))
      .map(cluster => ({ ...cluster, stopsReportingAfterSeconds: undefined })),
    objects: [
      ...defaultScenario.objects.filter(
        ({ metadata }) => !leftOut.includes(metadata.name),
      ),
      ...sets.flatMap(renamed),
    ],
  };
}
