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
      'two clusters of a name',
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
      'a slash at the end of a server',
      { destination: { server: 'https://edge-control-plane/' } },
      'cluster "https://edge-control-plane/" not found',
    ],
    [
      'an unknown server',
      { destination: { server: 'https://x' } },
      'error getting cluster by server "https://x"',
    ],
  ])('refuses %s', (_, spec, message) => {
    const { valid, mistakes } = validateApplications(
      'set',
      [application('bad', spec), application('good')],
      inputs,
    );
    expect(valid.map(({ metadata }) => metadata.name)).toEqual(['good']);
    expect(mistakes.get('bad')).toContain(message);
  });

  it('refuses names that come twice', () => {
    const { valid, mistakes } = validateApplications(
      'set',
      [application('a'), application('a')],
      inputs,
    );
    expect(valid).toEqual([]);
    expect(mistakes.get('a')).toBe(
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

  it("knows Argo CD's own cluster by its Secret's name where it has one", () => {
    const { mistakes } = validateApplications(
      'set',
      [application('a', { destination: { name: 'in-cluster' } })],
      {
        ...inputs,
        clusters: [
          { name: 'local-cluster', server: 'https://kubernetes.default.svc' },
        ],
      },
    );
    expect(mistakes.get('a')).toContain('no clusters with this name');
  });

  it('tells the last mistake and the number of the others', () => {
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
