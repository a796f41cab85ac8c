import { mockServices } from '@backstage/backend-test-utils';
import { readFleetProviderConfig } from './providerConfig';

function read(argocdFleet: Record<string, string | object>, hubs?: string[]) {
  return readFleetProviderConfig(
    mockServices.rootConfig({
      data: {
        catalog: { providers: { argocdFleet } },
        ...(hubs && { argocdFleet: { hubs: hubs.map(name => ({ name })) } }),
      },
    }),
  );
}

describe('the configuration of the module', () => {
  it('has a default for everything', () => {
    expect(readFleetProviderConfig(mockServices.rootConfig())).toEqual({
      defaultOwner: 'group:default/platform',
      schedule: { frequency: { seconds: 10 }, timeout: { seconds: 30 } },
      hubNames: [],
    });
  });

  it('reads every key', () => {
    const config = read(
      {
        defaultOwner: 'operators',
        schedule: { frequency: 'PT1M', timeout: 'PT2M' },
      },
      ['east', 'west'],
    );
    expect(config).toEqual({
      defaultOwner: 'group:default/operators',
      schedule: { frequency: { minutes: 1 }, timeout: { minutes: 2 } },
      hubNames: ['east', 'west'],
    });
  });

  it.each(['a:b:c', 'group:default/my team', ''])(
    'refuses %j as owner and says how to write it',
    defaultOwner => {
      expect(() => read({ defaultOwner })).toThrow(
        /catalog\.providers\.argocdFleet\.defaultOwner/,
      );
    },
  );
});
