import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { readFleetConfig } from '../../config/fleetConfig';

function read(search: JsonObject, more: JsonObject = {}) {
  const { hubs } = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [{ name: 'hub', kubeconfig: { path: '/etc/hub' }, search }],
        ...more,
      },
    }),
  );
  return hubs[0].search;
}

describe('configuration of the search source', () => {
  it('defaults to the documented service and a moderate load', () => {
    expect(read({ token: 'secret' })).toEqual({
      access: {
        url: 'https://search-search-api.open-cluster-management.svc.cluster.local:4010/searchapi/graphql',
        token: 'secret',
      },
      batchSize: 50,
      concurrency: 4,
      timeoutMs: 30_000,
      limit: 10_000,
    });
  });

  it('builds the address from namespace, domain and port', () => {
    expect(
      read({
        namespace: 'ocm',
        domain: 'example.org',
        port: 443,
        tokenFile: '/etc/token',
        caFile: '/etc/ca.crt',
        batchSize: 10,
        concurrency: 1,
        timeout: { seconds: 20 },
        limit: 500,
      }),
    ).toEqual({
      access: {
        url: 'https://search-search-api.ocm.svc.example.org:443/searchapi/graphql',
        tokenFile: '/etc/token',
        caFile: '/etc/ca.crt',
      },
      batchSize: 10,
      concurrency: 1,
      timeoutMs: 20_000,
      limit: 500,
    });
  });

  it('takes an address', () => {
    const url = 'https://search.example.org/searchapi/graphql';
    expect(read({ url, token: 'secret' })?.access.url).toBe(url);
  });

  it('has a schedule of 10 s by default, and refuses a local scope', () => {
    const schedule = (resourceSources?: JsonObject) =>
      readFleetConfig(
        new ConfigReader({
          argocdFleet: resourceSources ? { resourceSources } : {},
        }),
      ).resourceSources.schedule;
    expect(schedule().frequency).toEqual({ seconds: 10 });
    const every30s = { frequency: '30s', timeout: '1m' };
    expect(schedule({ schedule: every30s }).frequency).toEqual({ seconds: 30 });
    expect(() =>
      schedule({ schedule: { ...every30s, scope: 'local' } }),
    ).toThrow('argocdFleet.resourceSources.schedule.scope: must be "global"');
  });

  it('leaves a round enough time to store its answers', () => {
    expect(() => read({ token: 'a', timeout: '40s' })).toThrow(
      /hubs\[0\]\.search\.timeout: must be shorter than 1\/3 of .*\(now 120 s\)/,
    );
    const schedule = { frequency: '5m', timeout: '5m' };
    expect(
      read({ token: 'a', timeout: '40s' }, { resourceSources: { schedule } })
        ?.timeoutMs,
    ).toBe(40_000);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['no token', {}, /hubs\[0\]\.search\.token: set either token or tokenFile/],
    [
      'two tokens',
      { token: 'a', tokenFile: '/b' },
      /hubs\[0\]\.search\.token: .* and not both/,
    ],
    [
      'two CAs',
      {
        token: 'a',
        caFile: '/b',
        caData: Buffer.from('-----BEGIN CERTIFICATE-----').toString('base64'),
      },
      /search\.caFile: must not be set together with caData/,
    ],
    [
      'an address and a place',
      { token: 'a', url: 'https://x/', port: 1 },
      /search\.port: must not be set together with url/,
    ],
    [
      'an address in the clear',
      { token: 'a', url: 'http://search.example.org/' },
      /search\.url: must be an address that begins with https/,
    ],
    [
      'verification turned off',
      { token: 'a', skipTLSVerify: true },
      /search: .*skipTLSVerify/,
    ],
    ['no batch', { token: 'a', batchSize: 0 }, /search\.batchSize: /],
    ['everything at once', { token: 'a', concurrency: 500 }, /concurrency: /],
    ['no limit', { token: 'a', limit: -1 }, /search\.limit: /],
    [
      'no time',
      { token: 'a', timeout: '0s' },
      /search\.timeout: must be a positive duration/,
    ],
    ['a path for a namespace', { token: 'a', namespace: 'a/b' }, /namespace: /],
    ['a path for a domain', { token: 'a', domain: 'a/b' }, /search\.domain: /],
  ])('is refused: %s', (_, search, message) => {
    expect(() => read(search)).toThrow(message);
  });
});
