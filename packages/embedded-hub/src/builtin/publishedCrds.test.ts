import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { equalJson, isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { StructuralSchema } from '../schema/structuralSchema';
import { ARGO_CD_CRDS } from './argoCdCrds';
import { CLUSTER_CRDS } from './clusterCrds';
import { toCustomResourceDefinition } from './crdDeclaration';
import { GITOPS_CLUSTER_CRDS } from './gitOpsClusterCrds';
import { WORK_CRDS } from './workCrds';

const FOLDER =
  process.env.ARGOCD_FLEET_CRDS ??
  resolve(__dirname, '../../../../../shared/crds');

const OWN = [
  ...ARGO_CD_CRDS,
  ...CLUSTER_CRDS,
  ...WORK_CRDS,
  ...GITOPS_CLUSTER_CRDS,
].map(toCustomResourceDefinition);

function readPublished(): Map<string, KubernetesObject> {
  const published = new Map<string, KubernetesObject>();
  for (const file of existsSync(FOLDER) ? readdirSync(FOLDER) : []) {
    if (file.endsWith('.yaml')) {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      for (const document of parseAllDocuments(text)) {
        const crd = document.toJS() as KubernetesObject | null;
        if (crd?.kind === 'CustomResourceDefinition') {
          published.set(crd.metadata.name!, crd);
        }
      }
    }
  }
  return published;
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: StructuralSchema };
  readonly subresources?: { readonly status?: object };
  readonly additionalPrinterColumns?: readonly object[];
}

function versionOf(crd: KubernetesObject): Version {
  return (crd.spec as { versions: Version[] }).versions[0];
}

/** A definition without its schema and descriptions. */
function outline(crd: KubernetesObject) {
  const spec = crd.spec as { group: string; names: object; scope: string };
  const version = versionOf(crd);
  return {
    group: spec.group,
    names: spec.names,
    scope: spec.scope,
    version: version.name,
    status: version.subresources?.status,
    columns: version.additionalPrinterColumns?.map(column => ({
      ...column,
      description: undefined,
    })),
    required: version.schema.openAPIV3Schema.required,
  };
}

const COMPARED = [
  'type',
  'format',
  'enum',
  'pattern',
  'default',
  'required',
  'nullable',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'maxItems',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-validations',
] as const;

/** Differences of the hub's schema from the published one. */
function differences(
  own: StructuralSchema,
  published: StructuralSchema | undefined,
  path: string,
): string[] {
  if (!published) {
    return [`${path} is not published`];
  }
  // Where the hub validates no fields, there is nothing to compare.
  const open = own['x-kubernetes-preserve-unknown-fields'] && !own.properties;
  if (open) {
    return [];
  }
  const found = COMPARED.filter(
    keyword => !equalJson(own[keyword], published[keyword]),
  ).map(
    keyword =>
      `${path} ${keyword}: ${JSON.stringify(own[keyword])}, published ${JSON.stringify(
        published[keyword],
      )}`,
  );
  for (const [name, member] of Object.entries(own.properties ?? {})) {
    found.push(
      ...differences(member, published.properties?.[name], `${path}.${name}`),
    );
  }
  if (own.items) {
    found.push(...differences(own.items, published.items, `${path}[]`));
  }
  if (isJsonObject(own.additionalProperties)) {
    found.push(
      ...differences(
        own.additionalProperties as StructuralSchema,
        published.additionalProperties as StructuralSchema | undefined,
        `${path}{}`,
      ),
    );
  }
  return found;
}

/** Fields of a published schema that the hub's schema would prune. */
function dropped(
  own: StructuralSchema,
  published: StructuralSchema,
  path: string,
): string[] {
  const keeps = own['x-kubernetes-preserve-unknown-fields'];
  return Object.entries(published.properties ?? {}).flatMap(
    ([name, member]) => {
      const ours = own.properties?.[name];
      if (!ours) {
        return keeps ? [] : [`${path}.${name}`];
      }
      const below = dropped(ours, member, `${path}.${name}`);
      return ours.items && member.items
        ? [...below, ...dropped(ours.items, member.items, `${path}.${name}[]`)]
        : below;
    },
  );
}

const published = readPublished();
const cases = OWN.filter(crd => published.has(crd.metadata.name!)).map(
  crd => [crd.metadata.name!, crd] as const,
);
// The published definitions belong to other projects and are not in this repository. Without them the tests are
// skipped.
const describePublished = cases.length > 0 ? describe : describe.skip;

describePublished(
  'the hub’s definitions, compared with the published ones',
  () => {
    it('are all compared', () => {
      expect(cases.map(([name]) => name)).toHaveLength(10);
    });

    it.each(cases)(
      '%s has the same names, columns and subresources',
      (name, own) => {
        expect(outline(own)).toEqual(outline(published.get(name)!));
      },
    );

    it.each(cases)('%s declares each field alike', (name, own) => {
      expect(
        differences(
          versionOf(own).schema.openAPIV3Schema,
          versionOf(published.get(name)!).schema.openAPIV3Schema,
          '',
        ),
      ).toEqual([]);
    });

    it.each(cases)('%s prunes no published field', (name, own) => {
      expect(
        dropped(
          versionOf(own).schema.openAPIV3Schema,
          versionOf(published.get(name)!).schema.openAPIV3Schema,
          '',
        ),
      ).toEqual([]);
    });
  },
);
