import { emptyCache } from '../__testUtils__/emptyCache';
import { application } from '../model/__testUtils__/applications';
import { DEFAULT_PROPAGATION } from '../model/manifestwork';
import { createFleetReader } from './fleetReader';

it('names the configured namespace of Argo CD, which findings compare accounts with', () => {
  const reader = createFleetReader({
    cache: emptyCache(),
    propagation: () => ({ ...DEFAULT_PROPAGATION, argocdNamespace: 'gitops' }),
  });
  expect(
    reader.fleetApplication(application(), undefined).argocdNamespace,
  ).toBe('gitops');
});
