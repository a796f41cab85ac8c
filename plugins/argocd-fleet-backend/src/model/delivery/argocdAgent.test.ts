import { agentOfSecret } from './argocdAgent';

const LABEL = 'argocd-agent.argoproj-labs.io/agent-name';
const IMPORTED = { 'apps.open-cluster-management.io/acm-cluster': 'true' };
const PROXY = 'https://proxy:9090?agentName=edge';

it.each<[string, string | undefined, Record<string, string>, string]>([
  ['an agent', 'edge', { [LABEL]: 'edge' }, PROXY],
  ['an agent behind any server', 'edge', { [LABEL]: 'edge' }, 'https://a'],
  ['no agent', undefined, {}, PROXY],
  ['no agent, by an empty label', undefined, { [LABEL]: '' }, PROXY],
  [
    'an agent that took over an imported one',
    'edge',
    {
      ...IMPORTED,
      [LABEL]: 'edge',
      'apps.open-cluster-management.io/cluster-name': 'edge',
    },
    PROXY,
  ],
  [
    'an import that copied label and URL of another cluster',
    undefined,
    {
      ...IMPORTED,
      [LABEL]: 'edge',
      'apps.open-cluster-management.io/cluster-name': 'other',
    },
    PROXY,
  ],
  [
    'an import that copied the label of the cluster',
    undefined,
    { ...IMPORTED, [LABEL]: 'edge' },
    'https://edge-control-plane',
  ],
])('a Secret is of %s: %s', (_, expected, labels, server) => {
  expect(
    agentOfSecret({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'x', labels },
      data: { server: Buffer.from(server).toString('base64') },
    }),
  ).toBe(expected);
});
