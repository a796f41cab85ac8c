/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import type { Entity } from '@backstage/catalog-model';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  COMPONENT_ANNOTATIONS,
  componentRef,
  formatApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { pullApplicationSet } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { expectAccepted } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath } from './paths';
import { TENANT, TENANT_IN_CATALOG, VICTIM } from './places';
import { BASE } from './api';
import type { Stage } from './stage';
import { COMPONENT_OF_FILE, DEFINED_COMPONENT } from './victimsView';

/** What the annotations of an ApplicationSet say of a component. */
type Claim = Readonly<
  Partial<Record<keyof typeof COMPONENT_ANNOTATIONS, string>>
>;

const VICTIMS_GROUP = 'group:default/victims';
const TENANTS_GROUP = 'group:default/tenants';
/** A component that nobody else has. */
const OWN = 'stall';

const TEXT = `\u202e\u2066${'x'.repeat(100_000)}\u2069`;

/** The tenant creates an ApplicationSet with these annotations; resolves when the catalog has considered it. */
async function claim(stage: Stage, namespace: string, it: Claim) {
  const { accounts, afterwards, catalog } = stage;
  const set = pullApplicationSet('hostile');
  const sets = hubPath('applicationSets', { namespace });
  const ref = { hub: 'hub', namespace, name: set.metadata.name };
  const annotations = Object.fromEntries(
    Object.entries(it).map(([key, value]) => [
      COMPONENT_ANNOTATIONS[key as keyof Claim],
      value,
    ]),
  );
  expectAccepted(
    await accounts.tenant.send('POST', sets, {
      ...set,
      metadata: { name: ref.name, namespace, annotations },
    }),
  );
  afterwards(async () => {
    await accounts.tenant.send('DELETE', `${sets}/${ref.name}`);
    await waitFor(() => !catalog.hasResourceOf(ref));
  });
  await waitFor(() => catalog.hasResourceOf(ref));
}

/** What an administrator reads of the findings of the tenant's ApplicationSet. */
async function codesOf({ api }: Stage, namespace: string): Promise<string[]> {
  const { body } = await api.get(
    `${BASE}/applicationsets/hub/${namespace}/hostile`,
  );
  return body.findings.map(({ code }: { readonly code: string }) => code);
}

/** An ApplicationSet whose namespace may not define components: the catalog gets none of it, and a finding says so. */
function notPermitted(title: string, it: Claim & { name: string }) {
  return {
    attacker: 'tenant',
    kind: 'catalog, in a namespace that may not define components',
    title,
    attack: stage => claim(stage, TENANT, it),
    async afterwards(stage) {
      expect(await codesOf(stage, TENANT)).toContain('AFC-306');
      expect(locationOf(stage, it.name)).not.toContain(`/${TENANT}/`);
    },
  } satisfies HostileCase;
}

/** An ApplicationSet that may define components, but not this one: the log of the catalog says why. */
function notIts(title: string, it: Claim & { name: string }, why: RegExp) {
  return {
    attacker: 'tenant',
    kind: 'catalog, in a namespace that may define components',
    title,
    async attack(stage) {
      const before = stage.logger.text().length;
      await claim(stage, TENANT_IN_CATALOG, it);
      expect(stage.logger.text().slice(before)).toMatch(why);
    },
    async afterwards(stage) {
      expect(locationOf(stage, it.name)).not.toContain(TENANT_IN_CATALOG);
    },
  } satisfies HostileCase;
}

/** The ApplicationSet that a component of the catalog is made of; empty where there is none. */
function locationOf({ catalog }: Stage, name: string): string {
  const { annotations } = catalog.get(componentRef(name))?.metadata ?? {};
  return annotations?.['backstage.io/managed-by-location'] ?? '';
}

/** Without what says of which ApplicationSets it is made. */
function withoutSets({ metadata, spec, ...entity }: Entity) {
  const { [APPLICATION_SET_ENTITY_ANNOTATION]: _, ...annotations } =
    metadata.annotations ?? {};
  const { dependsOn: __, ...rest } = spec ?? {};
  return { ...entity, metadata: { ...metadata, annotations }, spec: rest };
}

const DEFINING: readonly HostileCase[] = [
  {
    attacker: 'tenant',
    kind: 'catalog, in a namespace that may define components',
    title:
      'joins the victim’s component in the name of its group, and changes only the list of ApplicationSets',
    async attack(stage) {
      const component = () =>
        stage.catalog.get(componentRef(DEFINED_COMPONENT))!;
      const before = component();
      await claim(stage, TENANT_IN_CATALOG, {
        name: DEFINED_COMPONENT,
        owner: VICTIMS_GROUP,
        title: 'Hostile',
        description: 'Hostile',
      });
      const joined = component();
      expect(
        joined.metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION],
      ).toBe(
        formatApplicationSetAnnotation([
          { hub: 'hub', namespace: VICTIM, name: 'shop' },
          { hub: 'hub', namespace: TENANT_IN_CATALOG, name: 'hostile' },
        ]),
      );
      expect(withoutSets(joined)).toEqual(withoutSets(before));
      // Whoever may write in that namespace is trusted with names and owners; what the victim sees is compared without.
      await stage.cleanUp();
    },
  },
  {
    attacker: 'tenant',
    kind: 'catalog, in a namespace that may define components',
    title: 'defines its own component with texts of 200 KB',
    attack: stage =>
      claim(stage, TENANT_IN_CATALOG, {
        name: OWN,
        owner: TENANTS_GROUP,
        title: TEXT,
        description: TEXT,
      }),
    async afterwards(stage) {
      const component = stage.catalog.get(componentRef(OWN));
      expect(component?.metadata.title).toMatch(/^\uFFFD{2}x{97}…$/);
      expect(component?.metadata.description).toMatch(/^\uFFFD{2}x{497}…$/);
      const text = JSON.stringify(component);
      expect(text).not.toMatch(/\p{Bidi_Control}/u);
      expect(text.length).toBeLessThan(5_000);
    },
  },
  {
    attacker: 'tenant',
    kind: 'catalog, in a namespace that may define components',
    title: 'defines a component whose name is a path',
    attack: stage =>
      claim(stage, TENANT_IN_CATALOG, {
        name: `../${DEFINED_COMPONENT}`,
        owner: TENANTS_GROUP,
      }),
    async afterwards(stage) {
      expect(await codesOf(stage, TENANT_IN_CATALOG)).toContain('AFC-307');
    },
  },
];

/** Attacks by those who may write ApplicationSets, whose annotations define components of the catalog. */
export const CATALOG_CASES: readonly HostileCase[] = [
  notPermitted('claims the victim’s component', {
    name: DEFINED_COMPONENT,
    owner: TENANTS_GROUP,
  }),
  notPermitted('joins the victim’s component in the name of its group', {
    name: DEFINED_COMPONENT,
    owner: VICTIMS_GROUP,
  }),
  notPermitted('claims the component of the victim’s catalog file', {
    name: COMPONENT_OF_FILE,
    owner: VICTIMS_GROUP,
  }),
  notPermitted('claims the victim’s component with texts of 200 KB', {
    name: DEFINED_COMPONENT,
    owner: VICTIMS_GROUP,
    title: TEXT,
    description: TEXT,
  }),
  notPermitted('defines a component of its own', {
    name: OWN,
    owner: TENANTS_GROUP,
  }),
  notIts(
    'claims the older component of the victim',
    { name: DEFINED_COMPONENT },
    /defines component:default\/till for group:default\/platform, and the older ApplicationSet victims\/shop /,
  ),
  notIts(
    'claims it for another owner',
    { name: DEFINED_COMPONENT, owner: TENANTS_GROUP },
    /defines component:default\/till for group:default\/tenants, and the older ApplicationSet victims\/shop /,
  ),
  notIts(
    'claims it in capital letters',
    { name: DEFINED_COMPONENT.toUpperCase(), owner: 'user:default/tina' },
    /defines component:default\/till for user:default\/tina, and the older ApplicationSet victims\/shop /,
  ),
  notIts(
    'claims it with texts of 200 KB',
    {
      name: DEFINED_COMPONENT,
      owner: 'tenants-too',
      title: TEXT,
      description: TEXT,
    },
    /defines component:default\/till for group:default\/tenants-too, and the older ApplicationSet victims\/shop /,
  ),
  notIts(
    'claims the component of the victim’s catalog file',
    { name: COMPONENT_OF_FILE, owner: VICTIMS_GROUP },
    /defines component:default\/shop, which the catalog has from /,
  ),
  ...DEFINING,
];
