import { configFingerprint, transformSecret } from './transformSecret';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a Secret in the cache', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'one-cluster-secret',
      managedFields: [{ fieldsV1: {} }],
      annotations: {
        theirs: 'x',
        'kubectl.kubernetes.io/last-applied-configuration':
          '{"stringData":{"config":"hunter2"}}',
      },
    },
    type: 'Opaque',
    data: {
      name: base64('one'),
      server: base64('https://one'),
      config: base64('{"bearerToken":"hunter2"}'),
      password: base64('hunter2'),
    },
    stringData: { config: 'hunter2' },
  };

  it('keeps name and server, and no other value', () => {
    const kept = transformSecret(secret);
    expect(kept.data).toEqual({
      name: secret.data.name,
      server: secret.data.server,
    });
    expect(kept.configFingerprint).toBe(configFingerprint(secret.data.config));
    for (const value of ['hunter2', base64('hunter2'), secret.data.config]) {
      expect(JSON.stringify(kept)).not.toContain(value);
    }
    expect(kept.metadata.annotations).toEqual({ theirs: 'x' });
  });

  it.each([
    ['{"a":1,"b":{"c":2,"d":3}}', '{ "b": { "d": 3, "c": 2 }, "a": 1 }', true],
    ['{"a":1}', '{"a":2}', false],
    ['no JSON', 'no JSON', true],
  ])('has the same fingerprint for %s and %s: %s', (a, b, same) => {
    const fingerprints = [a, b].map(text => configFingerprint(base64(text)));
    expect(fingerprints[0] === fingerprints[1]).toBe(same);
  });
});
