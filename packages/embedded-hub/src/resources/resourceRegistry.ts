import { ResourceDefinition } from './resourceDefinition';

/** One group with its versions, preferred first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Stages of a version by maturity; one that names none is GA. */
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
    // What is no Kubernetes version comes last, by name.
    return left || right ? Number(!left) - Number(!right) : a.localeCompare(b);
  }
  for (let i = 0; i < left.length; i++) {
    if (left[i] !== right[i]) {
      return right[i] - left[i];
    }
  }
  return 0;
}

/** The resources that are served at the moment. */
export class ResourceRegistry {
  private readonly definitions = new Map<string, ResourceDefinition>();
  private changes = 0;

  /** Grows with each change, so that what is derived from the registry can be kept until then. */
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

  /** Ceases to serve all versions of a resource. */
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

  /** All groups, the core group (with an empty name) among them. */
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
