// Measures the links between the catalog's entities and a large fleet's ApplicationSets. See README.md.
import { log, round, row } from './figures.mjs';
import { start } from './processes.mjs';

/** Milliseconds of CPU time for the links of all entities, the first time. */
const MAX_EVERYTHING_MS = 1_000;
/** Of one change, as a share of that. */
const MAX_CHANGE_SHARE = 0.005;
/** Entities with their relations, as a multiple of those without. */
const MAX_INGESTION = 1.2;

/** Runs the benchmark; returns the figures. */
export async function benchLinks({ clusters, applicationSets, components }) {
  log(
    `Links of ${components} components to ${applicationSets} ApplicationSets on ${clusters} clusters`,
  );
  const figures = await start('links/links.ts', [
    String(clusters),
    String(applicationSets),
    String(components),
  ]).message();
  const { ways, everything, unchanged, changedEntity, changedSet } = figures;
  console.table({
    ...Object.fromEntries(
      Object.entries(ways).map(([way, links]) => [`links by ${way}`, links]),
    ),
    'links of everything (ms CPU)': round(everything),
    'a reading without changes (ms CPU)': round(unchanged),
    'one changed entity (ms CPU)': round(changedEntity, 3),
    'one changed ApplicationSet (ms CPU)': round(changedSet, 3),
    'entities of the inventory, without links (ms CPU)': round(figures.plain),
    'entities of the inventory, with links (ms CPU)': round(figures.related),
  });
  const results = {
    'links of everything (ms CPU)': row(everything, '<', MAX_EVERYTHING_MS),
    'one changed entity, as a share of everything': row(
      changedEntity / everything,
      '<',
      MAX_CHANGE_SHARE,
    ),
    'one changed ApplicationSet, as a share of everything': row(
      changedSet / everything,
      '<',
      MAX_CHANGE_SHARE,
    ),
    'entities with links, as a multiple of those without': row(
      figures.related / figures.plain,
      '≤',
      MAX_INGESTION,
    ),
  };
  console.table(results);
  return { clusters, applicationSets, components, results, figures };
}
