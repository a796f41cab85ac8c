import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parseDocument } from 'yaml';
import { z } from 'zod';

import {
  Scenario,
  ScenarioCluster,
  ScenarioFile,
  scenarioSchema,
} from './schema';
import { matchesName } from '../kubernetes/namePattern';
import { TimelineEntry } from './timelineSchema';

const DEFAULT_FILE = join(
  dirname(require.resolve('simulated-fleet/package.json')),
  'scenarios/documentation.yaml',
);

/**
 * Parses and validates the text of a scenario file.
 *
 * @param file - the name of the file in error messages
 * @throws Error that lists every mistake with the file, the path in the document and the allowed values.
 */
export function parseScenario(text: string, file: string): Scenario {
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new Error(
      `The scenario ${file} is not YAML: ${document.errors
        .map(({ message }) => message)
        .join('; ')}`,
    );
  }
  const result = scenarioSchema.safeParse(document.toJS());
  if (!result.success) {
    const mistakes = result.error.issues.map(
      issue => `  ${pathOf(issue)}: ${issue.message}`,
    );
    throw new Error(
      [`The scenario ${file} cannot be used:`, ...mistakes].join('\n'),
    );
  }
  return expandScenario(result.data, file);
}

/** The example of the product documentation, plus a push-model ApplicationSet and one on forty edge clusters. */
export const defaultScenario: Scenario = parseScenario(
  readFileSync(DEFAULT_FILE, 'utf-8'),
  DEFAULT_FILE,
);

/**
 * Reads a scenario file; without a path, returns {@link defaultScenario}.
 *
 * @throws Error if the file cannot be read or is not a valid scenario.
 */
export async function loadScenario(path?: string): Promise<Scenario> {
  if (path === undefined) {
    return defaultScenario;
  }
  let text: string;
  try {
    text = await readFile(path, 'utf-8');
  } catch (error) {
    throw new Error(`The scenario ${path} cannot be read: ${error}`);
  }
  return parseScenario(text, path);
}

function pathOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (joined, part) =>
      typeof part === 'number'
        ? `${joined}[${part}]`
        : `${joined}${joined && '.'}${String(part)}`,
    '',
  );
  return path || '(the document)';
}

/** Expands the cluster series and checks what the schema cannot: unique cluster names and timeline references. */
function expandScenario(file: ScenarioFile, name: string): Scenario {
  const { clusterSeries, ...rest } = file;
  const clusters = [...rest.clusters, ...clusterSeries.flatMap(seriesClusters)];
  const names = new Set<string>();
  const duplicates: string[] = [];
  for (const [index, cluster] of clusters.entries()) {
    if (names.has(cluster.name)) {
      duplicates.push(
        `  clusters[${index}].name: ${cluster.name} appears twice, names must be unique`,
      );
    }
    names.add(cluster.name);
  }
  const timelineMistakes = file.timeline.flatMap((entry, index) => {
    const unknown = clustersIn(entry).filter(
      pattern => ![...names].some(cluster => matchesName([pattern], cluster)),
    );
    return [
      ...unknown.map(
        pattern => `  timeline[${index}]: there is no cluster ${pattern}`,
      ),
      ...(entry.search && !file.search
        ? [
            `  timeline[${index}].search: the scenario has no search endpoint, add the field search`,
          ]
        : []),
    ];
  });
  const mistakes = [...duplicates, ...timelineMistakes];
  if (mistakes.length > 0) {
    throw new Error(
      [`The scenario ${name} cannot be used:`, ...mistakes].join('\n'),
    );
  }
  return { ...rest, clusters };
}

/** The cluster names or patterns in a timeline entry. */
function clustersIn(entry: TimelineEntry): string[] {
  return [
    entry.offline,
    entry.online,
    entry.apiServerDown,
    entry.apiServerUp,
    entry.clockSkew?.cluster,
    entry.promote?.cluster,
    entry.abort?.cluster,
    entry.retry?.cluster,
  ].filter(pattern => pattern !== undefined);
}

function seriesClusters(
  series: ScenarioFile['clusterSeries'][number],
): ScenarioCluster[] {
  const { count, alternatingLabels, name, ...fields } = series;
  return Array.from({ length: count }, (_, index) => ({
    ...fields,
    name: name.replaceAll('{index}', String(index + 1).padStart(2, '0')),
    labels: {
      ...fields.labels,
      ...Object.fromEntries(
        Object.entries(alternatingLabels).map(([key, values]) => [
          key,
          values[index % values.length],
        ]),
      ),
    },
  }));
}
