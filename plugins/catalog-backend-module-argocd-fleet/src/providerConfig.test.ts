import { mockServices } from '@backstage/backend-test-utils';
import { readFleetProviderConfig } from './providerConfig';

function read(argocdFleet: Record<string, string | object>) {
  return readFleetProviderConfig(
    mockServices.rootConfig({
      data: { catalog: { providers: { argocdFleet } } },
    }),
  );
}

describe('the configuration of the module', () => {
  it('has a default for everything', () => {
    expect(readFleetProviderConfig(mockServices.rootConfig())).toEqual({
      defaultOwner: 'group:default/platform',
      schedule: { frequency: { seconds: 10 }, timeout: { seconds: 30 } },
    });
  });

  it('reads every key', () => {
    const config = read({
      defaultOwner: 'operators',
      schedule: { frequency: 'PT1M', timeout: 'PT2M' },
    });
    expect(config).toEqual({
      defaultOwner: 'group:default/operators',
      schedule: { frequency: { minutes: 1 }, timeout: { minutes: 2 } },
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
