import { inspect } from 'node:util';
import { serializeError } from '@backstage/errors';
import {
  KubernetesError,
  type KubernetesErrorKind,
} from '../kubernetes/client';
import { toApiError } from './hubErrorResponse';

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
  ) as Error;
  expect(error.message).toBe('Could not list pods');
  expect(JSON.stringify(serializeError(error))).not.toContain('cause');
  expect(inspect(error, { depth: 10 })).not.toMatch(
    /10\.1\.2\.3|backstage\/kubeconfig/,
  );
});
