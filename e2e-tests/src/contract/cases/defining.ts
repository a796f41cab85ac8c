import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { eventually } from '../../polling';
import { CRDS, HubUnderTest } from '../hubUnderTest';

const GROUP = `${RUN}.argocd-fleet.example`;
const TIMEOUT_MS = 60_000;

function definition(plural: string, kind: string, more: object = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object' } },
            },
          },
        },
      ],
      ...more,
    },
  };
}

export function definitionCases(contractCase: DeclareCase, hub: HubUnderTest) {
  const objects = (plural: string) =>
    `/apis/${GROUP}/v1/namespaces/default/${plural}`;
  const served = (plural: string) =>
    eventually(
      () => hub.get(objects(plural)),
      ({ status }) => status === 200,
      TIMEOUT_MS,
    );
  const remove = (plural: string) =>
    hub.call('DELETE', `${CRDS}/${plural}.${GROUP}`);

  contractCase('complete their names', async () => {
    const { spec } = await hub.create(CRDS, definition('cogs', 'Cog'));
    expect(spec).toMatchObject({
      names: { singular: 'cog', listKind: 'CogList' },
      conversion: { strategy: 'None' },
    });
    await remove('cogs');
  });

  contractCase('are served once they are established', async () => {
    await hub.create(CRDS, definition('bolts', 'Bolt'));
    await served('bolts');
    const { body } = await hub.get(`${CRDS}/bolts.${GROUP}`);
    expect(body.status).toMatchObject({
      acceptedNames: { plural: 'bolts', kind: 'Bolt' },
      storedVersions: ['v1'],
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
        }),
        expect.objectContaining({
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
        }),
      ]),
    });
    await remove('bolts');
  });

  contractCase('take their objects with them', async () => {
    await hub.create(CRDS, definition('nuts', 'Nut'));
    await served('nuts');
    await eventually(
      () =>
        hub.call('POST', objects('nuts'), {
          apiVersion: `${GROUP}/v1`,
          kind: 'Nut',
          metadata: { name: 'a' },
        }),
      ({ status }) => status === 201,
      TIMEOUT_MS,
    );
    await remove('nuts');
    await eventually(
      () => hub.get(`${CRDS}/nuts.${GROUP}`),
      ({ status }) => status === 404,
      TIMEOUT_MS,
    );
    // Its last answers may still be about the object.
    const { status } = await eventually(
      () => hub.get(`${objects('nuts')}/a`),
      answer => answer.text === '404 page not found\n',
      TIMEOUT_MS,
    );
    expect(status).toBe(404);
  });

  contractCase('can be changed while they are served', async () => {
    const first = await hub.create(CRDS, definition('pins', 'Pin'));
    await served('pins');
    const versions = first.spec.versions as { schema: object }[];
    await hub.merge(`${CRDS}/pins.${GROUP}`, {
      spec: {
        versions: [
          {
            ...versions[0],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: { size: { type: 'integer', maximum: 3 } },
                  },
                },
              },
            },
          },
        ],
      },
    });
    const { body } = await eventually(
      () =>
        hub.call('POST', objects('pins'), {
          apiVersion: `${GROUP}/v1`,
          kind: 'Pin',
          metadata: { generateName: 'a-' },
          spec: { size: 9 },
        }),
      ({ status }) => status === 422,
      TIMEOUT_MS,
    );
    expect(body.message).toContain('spec.size: Invalid value: 9');
    await remove('pins');
  });

  /** What makes a definition illegal, and the field that says so. */
  const ILLEGAL: readonly [title: string, body: object, field: string][] = [
    [
      'with another name than their plural and group',
      { ...definition('as', 'A'), metadata: { name: `bs.${GROUP}` } },
      'metadata.name',
    ],
    [
      'without versions',
      definition('as', 'A', { versions: [] }),
      'spec.versions',
    ],
    [
      'without a schema',
      definition('as', 'A', {
        versions: [{ name: 'v1', served: true, storage: true }],
      }),
      'spec.versions[0].schema.openAPIV3Schema',
    ],
    [
      'without a version to store',
      definition('as', 'A', {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object' } },
          },
        ],
      }),
      'spec.versions',
    ],
    [
      'of an unknown scope',
      definition('as', 'A', { scope: 'Galactic' }),
      'spec.scope',
    ],
    [
      'whose rule does not compile',
      definition('as', 'A', {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                'x-kubernetes-validations': [{ rule: 'self ==' }],
              },
            },
          },
        ],
      }),
      'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value: ',
    ],
  ];
  for (const [title, body, field] of ILLEGAL) {
    contractCase(`are refused ${title}`, async () => {
      const answer = await hub.call('POST', CRDS, body);
      expect(answer.status).toBe(422);
      expect(answer.body.reason).toBe('Invalid');
      expect(answer.body.message).toContain(field);
    });
  }
}
