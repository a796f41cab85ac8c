import { readFileSync } from 'node:fs';
import { startEmbeddedHub } from 'embedded-hub';
import { REAL_HUB_HAS_CONTROLLERS, REAL_HUB_KUBECONFIG } from '../environment';

/** A hub that the client tests run against. */
export interface TestedHub {
  readonly name: string;
  readonly collectsGarbage: boolean;
  start(): Promise<{ kubeconfig: string; stop(): Promise<void> }>;
}

/** The embedded hub, and a real one if the environment provides it. */
export const TESTED_HUBS: readonly TestedHub[] = [
  {
    name: 'the embedded hub',
    collectsGarbage: true,
    async start() {
      const hub = await startEmbeddedHub();
      return { kubeconfig: hub.kubeconfig(), stop: () => hub.stop() };
    },
  },
  ...(REAL_HUB_KUBECONFIG
    ? [
        {
          name: 'a real hub',
          collectsGarbage: REAL_HUB_HAS_CONTROLLERS,
          start: async () => ({
            kubeconfig: readFileSync(REAL_HUB_KUBECONFIG!, 'utf8'),
            stop: async () => {},
          }),
        },
      ]
    : []),
];
