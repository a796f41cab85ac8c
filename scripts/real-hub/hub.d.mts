import type { Service } from '../services.mjs';

export function startRealHub(options: {
  readonly port: number;
  readonly kubeconfig: string;
  readonly dataDir?: string;
}): Promise<Service & { readonly url: string }>;
