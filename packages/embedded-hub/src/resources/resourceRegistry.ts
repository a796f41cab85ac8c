import { ResourceDefinition } from './resourceDefinition';

/** One API group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Stages of a version by maturity; a version without a stage is GA. */
const STAGES: readonly (string | undefined)[] = ['alpha', 'beta', undefined];

/** Kubernetes' order of versions: GA before beta before alpha, then the higher number. */
export function compareVersions(a: string, b: string): number {
  const parse = (version: string) => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (!match) {
      return undefined;
    }
    const stage = STAGES.indexOf(match[2]);
    return [stage, Number(match[1]), Number(match[3] ?? 0)];
  };
  const left = parse(a);
  const right = parse(b);
  if (!left || !right) {
    // Versions of another form come last, by name.
    return left || right ? Number(!left) - Number(!right) : a.localeCompare(b);
  }
  for (let i = 0; i < left.length; i++) {
    if (left[i] !== right[i]) {
      return right[i] - left[i];
    }
  }
  return 0;
}

/** The resources that are currently served. */
export class ResourceRegistry {
  private readonly definitions = new Map<string, ResourceDefinition>();
  private changes = 0;

  /** Increases with each change, so that derived data can be cached until then. */
  get generation(): number {
    return this.changes;
  }

  private static key(group: string, version: string, plural: string): string {
    return `${group}/${version}/${plural}`;
  }

  register(definition: ResourceDefinition): void {
    this.definitions.set(
      ResourceRegistry.key(
        definition.group,
        definition.version,
        definition.plural,
      ),
      definition,
    );
    this.changes += 1;
  }

  /** Stops serving all versions of a resource. */
  unregister(group: string, plural: string): void {
    for (const [key, definition] of this.definitions) {
      if (definition.group === group && definition.plural === plural) {
        this.definitions.delete(key);
        this.changes += 1;
      }
    }
  }

  find(
    group: string,
    version: string,
    plural: string,
  ): ResourceDefinition | undefined {
    return this.definitions.get(ResourceRegistry.key(group, version, plural));
  }

  /** Any version of a resource; they share objects and rules. */
  findResource(group: string, plural: string): ResourceDefinition | undefined {
    return this.all().find(
      definition => definition.group === group && definition.plural === plural,
    );
  }

  all(): ResourceDefinition[] {
    return [...this.definitions.values()];
  }

  /** Resources of one group version, by name. */
  inVersion(group: string, version: string): ResourceDefinition[] {
    return this.all()
      .filter(
        definition =>
          definition.group === group && definition.version === version,
      )
      .sort((a, b) => a.plural.localeCompare(b.plural));
  }

  /** All groups, including the core group, whose name is empty. */
  groups(): ServedGroup[] {
    const versions = new Map<string, Set<string>>();
    for (const definition of this.definitions.values()) {
      const known = versions.get(definition.group) ?? new Set();
      versions.set(definition.group, known.add(definition.version));
    }
    return [...versions].map(([name, served]) => ({
      name,
      versions: [...served].sort(compareVersions),
    }));
  }
}
