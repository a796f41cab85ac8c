import { readFileSync } from 'node:fs';
import { startEmbeddedHub } from 'embedded-hub';

/** The kubeconfig of a real hub. */
const REAL = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;

/** A hub on which a client is tried. */
export interface HubToTry {
  readonly name: string;
  /** Whether anybody collects garbage on it. */
  readonly collects: boolean;
  start(): Promise<{ kubeconfig: string; stop(): Promise<void> }>;
}

/** The embedded hub, and a real one where there is one. */
export const HUBS_TO_TRY: readonly HubToTry[] = [
  {
    name: 'the embedded hub',
    collects: true,
    async start() {
      const hub = await startEmbeddedHub();
      return { kubeconfig: hub.kubeconfig(), stop: () => hub.stop() };
    },
  },
  ...(REAL
    ? [
        {
          name: 'a real hub',
          collects: process.env.ARGOCD_FLEET_TEST_HUB_CONTROLLERS !== 'none',
          start: async () => ({
            kubeconfig: readFileSync(REAL, 'utf8'),
            stop: async () => {},
          }),
        },
      ]
    : []),
];
