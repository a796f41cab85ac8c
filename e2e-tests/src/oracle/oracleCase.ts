import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A JSON object whose shape does not matter here. */
export interface Json {
  [field: string]: any;
}

/** What happens to an ApplicationSet, or around it, once it has settled. */
export interface Change {
  readonly story: string;
  /** A merge patch of the ApplicationSet. */
  readonly set?: Json;
  /** Merge patches of its Applications, by what their names have after the set's. */
  readonly applications?: Readonly<Record<string, Json>>;
  /** The clusters of PlacementDecisions, by these objects' names. */
  readonly decisions?: Readonly<Record<string, readonly string[]>>;
  readonly deleteSet?: boolean;
  /** The status of each Application in the rollout to wait for, where a rolling sync gives no other sign. */
  readonly rollout?: Readonly<Record<string, string>>;
}

/** One ApplicationSet and what happens to it. */
export interface OracleCase {
  /** Of the ApplicationSet; its Applications' names begin with it. */
  readonly name: string;
  readonly story: string;
  readonly world: WorldName;
  readonly spec: Json;
  readonly finalizers?: readonly string[];
  /** Objects that are there before it. */
  readonly before: readonly Json[];
  readonly then: readonly Change[];
}

/** Which clusters Argo CD knows: see `world.ts`. */
export type WorldName = 'usual' | 'own-secret';

/** The spec of Applications of which a case says nothing else. */
export const USUAL_SPEC: Json = {
  project: 'default',
  source: {
    repoURL: 'https://example.com/apps.git',
    path: 'guestbook',
    targetRevision: 'main',
  },
  destination: {
    server: 'https://kubernetes.default.svc',
    namespace: 'guestbook',
  },
};

/** The cases of a folder's files; what most have in common is filled in. */
export function oracleCases(folder: string): OracleCase[] {
  const cases = readdirSync(folder)
    .sort()
    .flatMap(file => {
      const text = readFileSync(join(folder, file), 'utf8');
      return parse(text, { merge: true }) as Json[];
    })
    .map(withDefaults);
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) {
    throw new Error(`Two cases of ${folder} have one name.`);
  }
  return cases;
}

function withDefaults(written: Json): OracleCase {
  const { name, story, world, spec, finalizers, before, then } = JSON.parse(
    JSON.stringify(written).replaceAll('{{setName}}', written.name),
  );
  const template = {
    metadata: { name: `${name}-{{${spec.goTemplate ? '.' : ''}name}}` },
    spec: USUAL_SPEC,
  };
  return {
    ...{ name, story, finalizers },
    world: world ?? 'usual',
    spec: { ...spec, template: overlaid(template, spec.template ?? {}) },
    before: before ?? [],
    then: then ?? [],
  };
}

/** Maps key by key, null takes away, everything else is replaced. */
function overlaid(base: Json, over: Json): Json {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const isMap = typeof value === 'object' && value && !Array.isArray(value);
    if (value === null) {
      delete result[key];
    } else {
      result[key] = isMap ? overlaid(result[key] ?? {}, value) : value;
    }
  }
  return result;
}
