import { KubernetesObject } from '../api/kubernetesObject';
import { EmbeddedHub, EmbeddedHubOptions, startEmbeddedHub } from '../hub';

/** A response of the hub. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // Responses of any kind: the test asserts the fields.
  readonly body: KubernetesObject & {
    readonly [key: string]: never;
  };
  readonly text: string;
}

/** A hub on a free port with an HTTP client. */
export interface TestHub extends EmbeddedHub {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: { [name: string]: string },
  ): Promise<TestResponse>;
  /** Creates an object. @throws Error when the hub does not answer 201. */
  create(path: string, object: object): Promise<KubernetesObject>;
}

/** Kinds of the custom resources that tests write without apiVersion and kind. */
const KINDS: { readonly [plural: string]: string } = {
  applications: 'Application',
  managedclusters: 'ManagedCluster',
  manifestworks: 'ManifestWork',
  placementdecisions: 'PlacementDecision',
  placements: 'Placement',
  widgets: 'Widget',
};

/** Adds apiVersion and kind, which custom objects must have, by the path. */
function withKind(method: string, path: string, body: unknown): unknown {
  const [, group, version, plural] =
    /^\/apis\/([^/]+)\/([^/]+)\/(?:namespaces\/[^/]+\/)?([^/?]+)/.exec(path) ??
    [];
  const isWrite = method === 'POST' || method === 'PUT';
  return isWrite && typeof body === 'object' && body && KINDS[plural]
    ? { apiVersion: `${group}/${version}`, kind: KINDS[plural], ...body }
    : body;
}

/** Starts a hub for a test, which must stop it. */
export async function startTestHub(
  options: EmbeddedHubOptions = {},
): Promise<TestHub> {
  const hub = await startEmbeddedHub({
    ...options,
    logger: {
      error(message) {
        throw new Error(message);
      },
    },
  });
  const call: TestHub['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${hub.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body:
        body === undefined || typeof body === 'string'
          ? body
          : JSON.stringify(withKind(method, path, body)),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(text) : {},
      text,
    };
  };
  return {
    url: hub.url,
    get requests() {
      return hub.requests;
    },
    kubeconfig: hub.kubeconfig,
    clearRequests: hub.clearRequests,
    compact: hub.compact,
    saveSnapshot: hub.saveSnapshot,
    stop: hub.stop,
    call,
    async create(path, object) {
      const { status, body, text } = await call('POST', path, object);
      if (status !== 201) {
        throw new Error(`POST ${path} answered ${status}: ${text}`);
      }
      return body;
    },
  };
}
