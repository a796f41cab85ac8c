import { RUN } from '../../environment';
import { DeclareCase } from '../contractCase';
import { eventually } from '../../polling';
import { definitionOf, versionWithSchema } from '../definitions';
import { CRDS, HubUnderTest } from '../hubUnderTest';

const GROUP = `${RUN}.argocd-fleet.example`;

function definition(plural: string, kind: string, more: object = {}) {
  return definitionOf(GROUP, plural, kind, {
    versions: [
      versionWithSchema({
        type: 'object',
        properties: { spec: { type: 'object' } },
      }),
    ],
    ...more,
  });
}

export function customResourceDefinitionCases(
  contractCase: DeclareCase,
  hub: HubUnderTest,
) {
  const objects = (plural: string) =>
    `/apis/${GROUP}/v1/namespaces/default/${plural}`;
  const waitUntilServed = (plural: string) =>
    eventually(
      () => hub.get(objects(plural)),
      ({ status }) => status === 200,
    );
  const remove = (plural: string) =>
    hub.call('DELETE', `${CRDS}/${plural}.${GROUP}`);

  contractCase('get default names', async () => {
    const { spec } = await hub.create(CRDS, definition('cogs', 'Cog'));
    expect(spec).toMatchObject({
      names: { singular: 'cog', listKind: 'CogList' },
      conversion: { strategy: 'None' },
    });
    await remove('cogs');
  });

  contractCase('are served once they are established', async () => {
    await hub.create(CRDS, definition('bolts', 'Bolt'));
    await waitUntilServed('bolts');
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

  contractCase('delete their objects when they are deleted', async () => {
    await hub.create(CRDS, definition('nuts', 'Nut'));
    await waitUntilServed('nuts');
    await eventually(
      () =>
        hub.call('POST', objects('nuts'), {
          apiVersion: `${GROUP}/v1`,
          kind: 'Nut',
          metadata: { name: 'a' },
        }),
      ({ status }) => status === 201,
    );
    await remove('nuts');
    await eventually(
      () => hub.get(`${CRDS}/nuts.${GROUP}`),
      ({ status }) => status === 404,
    );
    // For a short time, the server may still respond about the object.
    const { status } = await eventually(
      () => hub.get(`${objects('nuts')}/a`),
      response => response.text === '404 page not found\n',
    );
    expect(status).toBe(404);
  });

  contractCase('can be changed while they are served', async () => {
    await hub.create(CRDS, definition('pins', 'Pin'));
    await waitUntilServed('pins');
    await hub.merge(`${CRDS}/pins.${GROUP}`, {
      spec: {
        versions: [
          versionWithSchema({
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', maximum: 3 } },
              },
            },
          }),
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
    );
    expect(body.message).toContain('spec.size: Invalid value: 9');
    await remove('pins');
  });

  /** Invalid definitions, and the field that the error names. */
  const INVALID: readonly [title: string, body: object, field: string][] = [
    [
      'with a name that is not plural and group',
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
      'without a storage version',
      definition('as', 'A', {
        versions: [versionWithSchema({ type: 'object' }, { storage: false })],
      }),
      'spec.versions',
    ],
    [
      'with an unknown scope',
      definition('as', 'A', { scope: 'Galactic' }),
      'spec.scope',
    ],
    [
      'with a rule that does not compile',
      definition('as', 'A', {
        versions: [
          versionWithSchema({
            type: 'object',
            'x-kubernetes-validations': [{ rule: 'self ==' }],
          }),
        ],
      }),
      'spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value: ',
    ],
  ];
  for (const [title, body, field] of INVALID) {
    contractCase(`are refused ${title}`, async () => {
      const response = await hub.call('POST', CRDS, body);
      expect(response.status).toBe(422);
      expect(response.body.reason).toBe('Invalid');
      expect(response.body.message).toContain(field);
    });
  }
}
