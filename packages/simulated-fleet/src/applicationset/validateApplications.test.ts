import { Application } from '../kubernetes/argocdTypes';
import { validateApplications, validationError } from './validateApplications';

const application = (
  name: string,
  spec: Application['spec'] = {},
): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name },
  spec: {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc' },
    ...spec,
  },
});

const inputs = {
  projects: new Set(['default']),
  clusters: [
    { name: 'edge', server: 'https://edge-control-plane' },
    { name: 'twin', server: 'https://one' },
    { name: 'twin', server: 'https://two' },
  ],
};

describe('validateApplications', () => {
  it.each<[string, Application['spec'], string]>([
    [
      'no such project',
      { project: 'shop' },
      'application references project shop which does not exist',
    ],
    [
      'no such cluster',
      { destination: { name: 'nowhere' } },
      'application destination spec is invalid: there are no clusters with this name: nowhere',
    ],
    [
      'two clusters with the same name',
      { destination: { name: 'twin' } },
      'there are 2 clusters with the same name: [https://one https://two]',
    ],
    [
      'name and server',
      { destination: { name: 'edge', server: 'https://edge-control-plane' } },
      "application destination can't have both name and server defined",
    ],
    [
      'neither',
      { destination: {} },
      'Destination server missing from app spec',
    ],
    [
      'a trailing slash of a server',
      { destination: { server: 'https://edge-control-plane/' } },
      'cluster "https://edge-control-plane/" not found',
    ],
    [
      'an unknown server',
      { destination: { server: 'https://x' } },
      'error getting cluster by server "https://x"',
    ],
  ])('rejects %s', (_, spec, message) => {
    const { valid, errors } = validateApplications(
      'set',
      [application('bad', spec), application('good')],
      inputs,
    );
    expect(valid.map(({ metadata }) => metadata.name)).toEqual(['good']);
    expect(errors.get('bad')).toContain(message);
  });

  it('rejects duplicate names', () => {
    const { valid, errors } = validateApplications(
      'set',
      [application('a'), application('a')],
      inputs,
    );
    expect(valid).toEqual([]);
    expect(errors.get('a')).toBe(
      'ApplicationSet set contains applications with duplicate name: a',
    );
  });

  it.each([
    { name: 'edge' },
    { server: 'https://edge-control-plane' },
    { name: 'in-cluster' },
  ])('accepts %j', destination => {
    const { valid } = validateApplications(
      'set',
      [application('a', { destination })],
      inputs,
    );
    expect(valid).toHaveLength(1);
  });

  it("identifies Argo CD's own cluster by the name in its Secret", () => {
    const { errors } = validateApplications(
      'set',
      [application('a', { destination: { name: 'in-cluster' } })],
      {
        ...inputs,
        clusters: [
          { name: 'local-cluster', server: 'https://kubernetes.default.svc' },
        ],
      },
    );
    expect(errors.get('a')).toContain('no clusters with this name');
  });

  it('reports the last error and the number of the others', () => {
    expect(
      validationError(
        new Map([
          ['b', 'second'],
          ['a', 'first'],
        ]),
      ),
    ).toEqual({
      reason: 'ApplicationValidationError',
      message: 'second (and 1 more)',
    });
    expect(validationError(new Map())).toBeUndefined();
  });
});
