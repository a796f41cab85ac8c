// `npm run test:real-hub`: tests on a real etcd and kube-apiserver: the contract that the embedded hub must fulfil too,
// our controllers with Argo CD's ApplicationSet controller, the backend's tests that use a hub, failures on a managed
// cluster with Argo CD, and the loop from hub to browser.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { step } from './output.mjs';
import { ROOT } from './paths.mjs';
import {
  findOrBuildAgentCel,
  findOrBuildControlPlane,
  findOrBuildRenderingTools,
} from './real-hub/build.mjs';
import { startControlPlane } from './real-hub/start.mjs';
import {
  chooseSeed,
  NO_COUNTS,
  resultsFolder,
  runParts,
} from './test-parts.mjs';
import { runJest, runPlaywright } from './test-runs.mjs';

/** The backend's tests that use a hub. */
const BACKEND_TESTS = [
  ...['src/controllers/', 'src/runtime/', 'src/fleet/', 'src/kubernetes/'],
  ...['src/sources/', 'src/database/answerStore'],
  ...['src/systemTests/leastPrivilege', 'src/api/router'],
  ...['src/systemTests/hostile/hostile', 'src/systemTests/moving/'],
  'src/systemTests/createdApplications',
];
/** Those that run there only with thousands of clusters, in `npm run test:long`. */
const LONG_BACKEND_TESTS = ['src/systemTests/emptiedPlacement'];

/** One for each of Jest's workers that run the backend's tests: no two of them use the same hub at the same time. */
const HUBS = 2;

/** Tests whose controllers reconcile everything on the hub: no other test may use it at the same time. */
const WHOLE_HUB = 'src/rollingsync/';
/** Tests that start an embedded hub of their own. */
const OWN_HUB = 'src/takeover/';
/** Uses another API server as a managed cluster with Argo CD. */
const MANAGED_CLUSTER_TESTS = 'src/systemTests/provoked/';
const NO_REDIS =
  'No redis-server: the tests with Argo CD on a managed cluster are skipped. Install it with your system’s package manager, or set ARGOCD_FLEET_REDIS to its path.';
/** Runs where the path of OCM's agent is given, with two more API servers as managed clusters. */
const WORK_AGENT_TESTS = 'src/systemTests/movingWithWorkAgent';
const NO_WORK_AGENT =
  'ARGOCD_FLEET_OCM_WORK_AGENT is not the path of OCM’s program `work` (built from its repository by `go build ./cmd/work`): the tests with the real work agent are skipped.';
const NO_CONTROLLERS =
  'No kube-controller-manager in KUBEBUILDER_ASSETS: nothing is garbage-collected and no namespace is finalized, so the tests that need that are skipped, including the loop in the browser.';

/** Whether `npm run test:long` runs the tests. */
const isLongRun = () => process.env.ARGOCD_FLEET_TESTS === 'long';

/**
 * Starts real hubs, passes the parts that run on them to `use`, and stops them.
 *
 * @param {string} folder - for the results
 * @param {boolean} mayInstall - whether Chromium may be installed as a system package
 */
export async function withRealHub(folder, mayInstall, use) {
  const { binaries, missing, noArgocd } = await findOrBuildControlPlane({
    argocd: true,
  });
  if (missing) {
    await use({ 'real hub': () => skipped(missing) });
    return;
  }
  const agentCel = await findOrBuildAgentCel();
  const hasControllers = 'kube-controller-manager' in binaries;
  const hubs = await step(`Starting ${HUBS} etcds and kube-apiservers`, () =>
    startHubs(binaries, HUBS, true),
  );
  const env = {
    ...(!hasControllers && { ARGOCD_FLEET_TEST_HUB_CONTROLLERS: 'none' }),
    ...(binaries.argocd && { ARGOCD_FLEET_ARGOCD_BINARY: binaries.argocd }),
    ...(agentCel.path && { ARGOCD_FLEET_AGENT_CEL: agentCel.path }),
    ...(binaries.kubectl && { ARGOCD_FLEET_KUBECTL: binaries.kubectl }),
  };
  const jest = (name, folderOfTests, args, usedHubs, workers) =>
    runJest(folder, name, {
      command: ['package', 'test'],
      cwd: join(ROOT, folderOfTests),
      ...{ args, env: { ...env, ...variablesOf(usedHubs) }, workers },
    });
  const contract = async () => {
    const counts = await jest(
      'contract',
      'e2e-tests',
      [
        `--testPathIgnorePatterns=${WHOLE_HUB}`,
        `--testPathIgnorePatterns=${OWN_HUB}`,
      ],
      [hubs[0]],
    );
    const notes = [
      ...counts.notes,
      ...[noArgocd, agentCel.missing].filter(Boolean),
      intendedDifferences(),
    ];
    return { ...counts, notes };
  };
  const wholeHub = () =>
    jest('whole-hub', 'e2e-tests', [WHOLE_HUB], [hubs[0]], 1);
  const backend = () =>
    jest(
      'backend',
      'plugins/argocd-fleet-backend',
      isLongRun() ? [...BACKEND_TESTS, ...LONG_BACKEND_TESTS] : BACKEND_TESTS,
      hubs,
      hubs.length,
    );
  const loop = () =>
    hasControllers
      ? runPlaywright(
          folder,
          ['loop'],
          { ARGOCD_FLEET_E2E_HUB: 'real' },
          { name: 'real-hub-browser', mayInstall },
        )
      : skipped(NO_CONTROLLERS);
  /** Runs tests of the backend with one hub, and with that number of API servers as managed clusters. */
  const withClusters = async (name, tests, number, variables = {}) => {
    const clusters = await startHubs(binaries, number, false);
    try {
      return await runJest(folder, name, {
        command: ['package', 'test'],
        cwd: join(ROOT, 'plugins/argocd-fleet-backend'),
        args: [tests],
        env: {
          ...env,
          ...variables,
          ...variablesOf([hubs[0]]),
          ARGOCD_FLEET_TEST_CLUSTER_KUBECONFIG: clusters
            .map(({ kubeconfigPath }) => kubeconfigPath)
            .join(','),
        },
        workers: 1,
      });
    } finally {
      await Promise.all(clusters.map(cluster => cluster.stop()));
    }
  };
  const workAgent = async () => {
    if (!process.env.ARGOCD_FLEET_OCM_WORK_AGENT) {
      return skipped(NO_WORK_AGENT);
    }
    return withClusters('work-agent', WORK_AGENT_TESTS, 2);
  };
  const managedCluster = async () => {
    const redis = findRedis();
    if (!redis || !binaries.argocd) {
      return skipped(redis ? noArgocd : NO_REDIS);
    }
    const { folder: tools, missing: noTools } = isLongRun()
      ? await findOrBuildRenderingTools()
      : {};
    return noTools
      ? skipped(noTools)
      : withClusters('managed-cluster', MANAGED_CLUSTER_TESTS, 1, {
          ARGOCD_FLEET_REDIS: redis,
          ...(tools && { ARGOCD_FLEET_RENDERING_TOOLS: tools }),
        });
  };
  try {
    await use({
      contract,
      'progressive sync': wholeHub,
      backend,
      'managed cluster': managedCluster,
      'work agent': workAgent,
      loop,
    });
  } finally {
    await Promise.all(hubs.map(hub => hub.stop()));
  }
}

/** Names the hubs to the tests, in lists of one entry for each worker. */
function variablesOf(hubs) {
  const listed = key => hubs.map(hub => hub[key]).join(',');
  return {
    ARGOCD_FLEET_TEST_HUB_KUBECONFIG: listed('kubeconfigPath'),
    ARGOCD_FLEET_TEST_HUB_ETCD: listed('etcdUrl'),
    ARGOCD_FLEET_TEST_HUB_AUDIT_LOG: listed('auditLogPath'),
  };
}

/** Starts a number of API servers; when one of them cannot be started, stops the others. */
async function startHubs(binaries, number, auditLog) {
  const starts = await Promise.allSettled(
    Array.from({ length: number }, () =>
      startControlPlane({ binaries, auditLog }),
    ),
  );
  const failed = starts.find(({ status }) => status === 'rejected');
  const hubs = starts.flatMap(({ value }) => value ?? []);
  if (failed) {
    await Promise.all(hubs.map(hub => hub.stop()));
    throw failed.reason;
  }
  return hubs;
}

export async function run({ 'no-install': noInstall }) {
  const folder = resultsFolder('test-real-hub');
  chooseSeed();
  await withRealHub(folder, !noInstall, parts => runParts(folder, parts));
}

/** The intended differences between the embedded and the real hub, as a note. */
function intendedDifferences() {
  const file = join(ROOT, 'e2e-tests/src/contract/intendedDifferences.json');
  const differences = JSON.parse(readFileSync(file, 'utf8'));
  return [
    `The embedded hub differs intentionally in ${differences.length} cases:`,
    ...differences.map(({ id, reason }) => `    ${id}: ${reason}`),
  ].join('\n');
}

/** Path of the program in which Argo CD keeps what it has read; undefined where there is none. */
function findRedis() {
  return [
    process.env.ARGOCD_FLEET_REDIS,
    ...process.env.PATH.split(delimiter).map(path =>
      join(path, 'redis-server'),
    ),
  ].find(path => path && existsSync(path));
}

function skipped(reason) {
  return { ...NO_COUNTS, skipped: 1, notes: [reason] };
}
