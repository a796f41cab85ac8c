import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Json } from '../hub/hubClient';

const FOLDER = join(__dirname, 'cases');

/** A change to an ApplicationSet or to objects around it, made once the ApplicationSet has settled. */
export interface Change {
  readonly story: string;
  /** Merge patch of the ApplicationSet. */
  readonly set?: Json;
  /** Merge patches of its Applications by their names without the prefix `<set>-`. */
  readonly applications?: Readonly<Record<string, Json>>;
  /** New clusters by the name of the PlacementDecision. */
  readonly decisions?: Readonly<Record<string, readonly string[]>>;
  readonly deleteSet?: boolean;
  /** Rollout status of each Application to wait for: a rolling sync has no other sign that it is done. */
  readonly rollout?: Readonly<Record<string, string>>;
}

/** One ApplicationSet and the changes made to it. */
export interface OracleCase {
  /** Name of the ApplicationSet and prefix of its Applications' names. */
  readonly name: string;
  readonly story: string;
  readonly fixture: FixtureName;
  readonly spec: Json;
  readonly finalizers?: readonly string[];
  /** Objects created before the ApplicationSet. */
  readonly before: readonly Json[];
  readonly then: readonly Change[];
}

/** The clusters that Argo CD knows: see `fixtures.ts`. */
export type FixtureName = 'usual' | 'own-secret';

/** Spec of the Applications unless a case overrides it. */
export const DEFAULT_SPEC: Json = {
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

/** The cases of the folder `cases`, with defaults filled in. */
export const ORACLE_CASES: readonly OracleCase[] = readCases();

function readCases(): OracleCase[] {
  const cases = readdirSync(FOLDER)
    .sort()
    .flatMap(file => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return parse(text, { merge: true }) as Json[];
    })
    .map(withDefaults);
  const names = new Set(cases.map(({ name }) => name));
  if (names.size !== cases.length) {
    throw new Error(`Two cases in ${FOLDER} have the same name.`);
  }
  return cases;
}

function withDefaults(written: Json): OracleCase {
  const { name, story, fixture, spec, finalizers, before, then } = JSON.parse(
    JSON.stringify(written).replaceAll('{{setName}}', written.name),
  );
  const template = {
    metadata: { name: `${name}-{{${spec.goTemplate ? '.' : ''}name}}` },
    spec: DEFAULT_SPEC,
  };
  return {
    ...{ name, story, finalizers },
    fixture: fixture ?? 'usual',
    spec: { ...spec, template: mergePatch(template, spec.template ?? {}) },
    before: before ?? [],
    then: then ?? [],
  };
}

/** Applies a JSON merge patch. */
function mergePatch(base: Json, patch: Json): Json {
  const result = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const isMap = typeof value === 'object' && value && !Array.isArray(value);
    if (value === null) {
      delete result[key];
    } else {
      result[key] = isMap ? mergePatch(result[key] ?? {}, value) : value;
    }
  }
  return result;
}
