import { KubernetesObject } from '../api/kubernetesObject';
import { ApiError } from '../api/statusErrors';

/** etcd's default limit on the size of a request, in bytes. */
const OBJECT_LIMIT = 1.5 * 1024 * 1024;

/** Rejects an object that is too large for etcd. */
export function assertStorable(object: KubernetesObject): void {
  if (Buffer.byteLength(JSON.stringify(object)) > OBJECT_LIMIT) {
    throw new ApiError(500, '', 'etcdserver: request is too large');
  }
}
