import { AgentOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { Headers, HttpClient } from '../contract/httpClient';
import { Json } from './oracleCase';

const PLURALS: Record<string, string> = {
  Namespace: 'namespaces',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  AppProject: 'appprojects',
  Application: 'applications',
  ApplicationSet: 'applicationsets',
  PlacementDecision: 'placementdecisions',
};
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** A hub as the cases see it: its Kubernetes API. */
export class OracleHub {
  readonly #http: HttpClient;

  private constructor(http: HttpClient) {
    this.#http = http;
  }

  static async connect(kubeconfig: string): Promise<OracleHub> {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig);
    const options: AgentOptions & { headers?: Headers } = {};
    await config.applyToHTTPSOptions(options);
    const { headers = {}, ...tls } = options;
    const url = config.getCurrentCluster()!.server;
    return new OracleHub(new HttpClient({ url, tls, headers }));
  }

  /** Creates an object, and its status where it is written apart. */
  async create(object: Json): Promise<void> {
    const { status, ...rest } = object;
    await this.#send('POST', collectionPath(object), rest);
    if (status) {
      await this.patch(`${objectPath(object)}/status`, { status });
    }
  }

  /** The object at a path; undefined when there is none. */
  async get(path: string): Promise<Json | undefined> {
    return this.#send('GET', path);
  }

  async list(path: string): Promise<Json[]> {
    const body = await this.#send('GET', path);
    return body?.items ?? [];
  }

  /** A merge patch of the object at a path. */
  async patch(path: string, patch: Json): Promise<void> {
    await this.#send('PATCH', path, patch, MERGE);
  }

  async delete(path: string): Promise<void> {
    await this.#send('DELETE', path);
  }

  close(): void {
    this.#http.close();
  }

  async #send(
    method: string,
    path: string,
    body?: Json,
    headers?: Headers,
  ): Promise<Json | undefined> {
    const answer = await this.#http.call(method, path, body, headers);
    if (answer.status === 404 && (method === 'GET' || method === 'DELETE')) {
      return undefined;
    }
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  }
}

/** Where an object's kind is served, in the object's namespace. */
export function collectionPath({ apiVersion, kind, metadata }: Json): string {
  const root = apiVersion.includes('/')
    ? `/apis/${apiVersion}`
    : `/api/${apiVersion}`;
  const namespace = metadata.namespace
    ? `/namespaces/${metadata.namespace}`
    : '';
  return `${root}${namespace}/${PLURALS[kind]}`;
}

export function objectPath(object: Json): string {
  return `${collectionPath(object)}/${object.metadata.name}`;
}
