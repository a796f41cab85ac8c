import { parseRequestInfo } from './requestInfo';

const parse = (method: string, path: string) =>
  parseRequestInfo(method, new URL(path, 'http://hub'));

/** Every field in one line: verb, group/version, namespace, resource/name/subresource. */
function summary(method: string, path: string): string {
  const info = parse(method, path);
  return [
    info.verb,
    `${info.group || 'core'}/${info.version}`,
    info.namespace || '-',
    [info.resource, info.name, info.subresource].filter(Boolean).join('/'),
  ].join(' ');
}

describe('parseRequestInfo', () => {
  const sets = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applicationsets';

  it.each([
    ['GET', '/api/v1/secrets', 'list core/v1 - secrets'],
    ['GET', '/api/v1/secrets?watch=true', 'watch core/v1 - secrets'],
    ['GET', '/api/v1/secrets?watch=', 'watch core/v1 - secrets'],
    ['GET', '/api/v1/secrets?watch=0', 'list core/v1 - secrets'],
    ['GET', '/api/v1/secrets?watch=false', 'list core/v1 - secrets'],
    ['POST', sets, 'create argoproj.io/v1alpha1 argocd applicationsets'],
    ['GET', `${sets}/a`, 'get argoproj.io/v1alpha1 argocd applicationsets/a'],
    [
      'PUT',
      `${sets}/a/status`,
      'update argoproj.io/v1alpha1 argocd applicationsets/a/status',
    ],
    [
      'PATCH',
      `${sets}/a`,
      'patch argoproj.io/v1alpha1 argocd applicationsets/a',
    ],
    [
      'DELETE',
      `${sets}/a`,
      'delete argoproj.io/v1alpha1 argocd applicationsets/a',
    ],
    [
      'DELETE',
      sets,
      'deletecollection argoproj.io/v1alpha1 argocd applicationsets',
    ],
    ['GET', '/api/v1/namespaces/a', 'get core/v1 - namespaces/a'],
    [
      'PUT',
      '/api/v1/namespaces/a/status',
      'update core/v1 - namespaces/a/status',
    ],
    [
      'PUT',
      '/api/v1/namespaces/a/finalize',
      'update core/v1 - namespaces/a/finalize',
    ],
    ['GET', '/api/v1/namespaces/a/secrets', 'list core/v1 a secrets'],
    ['GET', '/api/v1/secrets/a%2Fb', 'get core/v1 - secrets/a/b'],
  ])('%s %s', (method, path, expected) => {
    expect(summary(method, path)).toBe(expected);
  });

  it.each([
    '/',
    '/healthz',
    '/api',
    '/api/v1',
    '/apis',
    '/apis/argoproj.io',
    '/apis/argoproj.io/v1alpha1',
  ])('%s names no resource', path => {
    expect(parse('GET', path)).toMatchObject({
      isResource: false,
      verb: 'get',
      resource: '',
    });
  });

  it('rejects a segment that cannot be decoded', () => {
    expect(() => parse('GET', '/api/v1/secrets/%zz')).toThrow(
      new URIError('the path segment %zz is not legal in a URL'),
    );
  });
});
