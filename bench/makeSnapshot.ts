// Writes the snapshot of a generated fleet: makeSnapshot.ts FILE CLUSTERS APPLICATIONSETS SEED
import { writeSnapshot } from 'embedded-hub';
import { generateFleet } from 'simulated-fleet';
import { buildManifestWork } from '../plugins/argocd-fleet-backend/src/model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../plugins/argocd-fleet-backend/src/model/manifestwork/workPlan';

const [file, clusters, applicationSets, seed] = process.argv.slice(2);
const TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster';

type PullApplication = Parameters<typeof buildManifestWork>[0];

/** The work that the propagation controller builds on a hub with all ManifestWork fields. */
function buildWork(application: PullApplication) {
  const { name, uid = '', annotations } = application.metadata;
  return buildManifestWork(
    application,
    {
      cluster: annotations?.[TARGET] ?? '',
      name: `${name}-${uid.slice(0, 5)}`,
    },
    DEFAULT_PROPAGATION,
  );
}

writeSnapshot(
  file,
  generateFleet({
    seed,
    clusters: Number(clusters),
    applicationSets: Number(applicationSets),
    // The two packages declare the same API object with different types.
    buildWork: application =>
      buildWork(application as PullApplication) as ReturnType<
        NonNullable<Parameters<typeof generateFleet>[0]['buildWork']>
      >,
  }),
).then(
  written =>
    process.send?.({ bench: { written, rss: process.resourceUsage().maxRSS } }),
  error => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
);
