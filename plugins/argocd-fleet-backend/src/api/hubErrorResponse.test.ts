import { inspect } from 'node:util';
import { serializeError } from '@backstage/errors';
import {
  KubernetesError,
  type KubernetesErrorKind,
} from '../kubernetes/client';
import {
  HubNotListedError,
  HubUnavailableError,
  toApiError,
} from './hubErrorResponse';

it.each<KubernetesErrorKind>([
  'notFound',
  'conflict',
  'alreadyExists',
  'gone',
  'forbidden',
  'invalid',
  'unavailable',
  'unauthorized',
])('answers %s with the message alone, without its cause', kind => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:6443'), {
    cause: new Error('/etc/backstage/kubeconfig'),
  });
  const error = toApiError(
    new KubernetesError(kind, 'Could not list pods', { cause }),
    true,
  ) as Error;
  expect(error.message).toBe('Could not list pods');
  expect(JSON.stringify(serializeError(error))).not.toContain('cause');
  expect(inspect(error, { depth: 10 })).not.toMatch(
    /10\.1\.2\.3|backstage\/kubeconfig/,
  );
});

it.each([
  ['forbidden', new KubernetesError('forbidden', 'User "sa:portal" may not')],
  ['unavailable', new KubernetesError('unavailable', 'https://10.1.2.3')],
  ['not listed', new HubNotListedError('https://10.1.2.3')],
  ['not known', new HubUnavailableError('https://10.1.2.3')],
])(
  'does not tell a caller without argocd-fleet.hub.read more than that the hub is %s',
  (_, error) => {
    const [hidden, full] = [false, true].map(
      seesHubs => toApiError(error, seesHubs) as Error,
    );
    expect(full.message).toBe(error.message);
    expect(hidden.message).not.toMatch(/sa:portal|10\.1\.2\.3/);
    expect(hidden.name).toBe(full.name);
  },
);
