// Keeps pages open as browsers do: pages.ts URL TOKEN NUMBER. Its parent asks for figures with any message.
import {
  createArgocdFleetClient,
  type ApplicationSetRows,
} from 'backstage-plugin-argocd-fleet-common';
import { startLiveQuery } from '../../plugins/argocd-fleet/src/live/liveQuery';

const [url, token, number] = process.argv.slice(2);
const client = createArgocdFleetClient({
  discoveryApi: { getBaseUrl: async () => `${url}/api/argocd-fleet` },
});
/** The last answer for each set, as the frontend keeps it. */
const known = new Map<string, ApplicationSetRows>();
const figures = { loads: 0, errors: 0, loadMs: [] as number[], rows: 0 };

async function main() {
  const { items } = await client.listApplicationSets({ token });
  const stops = items.slice(0, Number(number)).map(({ ref }) =>
    startLiveQuery(
      {
        async load(signal) {
          const startedAt = performance.now();
          const detail = await client.getApplicationSetRows(ref, {
            ...{ token, signal },
            known: known.get(ref.name),
          });
          known.set(ref.name, detail);
          figures.loads += 1;
          figures.rows = detail.applications.length;
          figures.loadMs.push(performance.now() - startedAt);
          return detail;
        },
        changes: (signal, onOpen) => client.changes({ token, signal, onOpen }),
        concerns: ({ hubs, applicationSets }) =>
          hubs.includes(ref.hub) ||
          applicationSets.some(
            ({ namespace, name }) =>
              namespace === ref.namespace && name === ref.name,
          ),
        isPermanent: () => false,
      },
      ({ error }) => {
        figures.errors += error ? 1 : 0;
      },
    ),
  );
  process.on('message', message => {
    if (message === 'stop') {
      stops.forEach(stop => stop());
      process.disconnect();
      return;
    }
    process.send?.({ bench: { ...figures, pages: stops.length } });
    Object.assign(figures, { loads: 0, errors: 0, loadMs: [] });
  });
  process.send?.({ bench: 'ready' });
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
