export interface Service {
  readonly name: string;
  readonly ended: Promise<string>;
  output(): string;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** It keeps its connections and does nothing, as a machine that hangs. */
  pause(): void;
  resume(): void;
}

export type Backend = Service & {
  readonly url: string;
  /** For requests that the permission policy does not restrict. */
  readonly token?: string;
};

export function freePort(): Promise<number>;

export function startHub(options: {
  readonly port: number;
  readonly kubeconfig: string;
}): Promise<Service & { readonly url: string }>;

export interface GitServerOptions {
  readonly port: number;
  readonly folder: string;
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Of the user `fleet`, for pushes. */
  readonly password: string;
}

export function gitServerOf(options: {
  readonly port: number;
  readonly kubeconfig: string;
}): Promise<GitServerOptions | undefined>;

export function startFleet(options: {
  readonly kubeconfig: string;
  readonly git?: GitServerOptions;
  readonly scenario?: string;
  readonly speed?: string;
}): Service;

export function startBackend(options: {
  readonly port: number;
  readonly kubeconfig: string;
  /** Entity reference of the user who is signed in; the guest by default. */
  readonly user?: string;
  readonly git?: GitServerOptions;
}): Promise<Backend>;

export function untilInCatalog(backend: Backend, entity: string): Promise<void>;
