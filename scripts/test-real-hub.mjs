// `npm run test:real-hub`: tests on a real etcd and kube-apiserver: the contract that the embedded hub must fulfil too,
// our controllers with Argo CD's ApplicationSet controller, the backend's tests that use a hub, and the loop from hub
// to browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './output.mjs';
import { ROOT } from './paths.mjs';
import {
  findOrBuildAgentCel,
  findOrBuildControlPlane,
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
];
/** Those that run there only with thousands of clusters, in `npm run test:long`. */
const LONG_BACKEND_TESTS = ['src/systemTests/emptiedPlacement'];

/** One for each of Jest's workers that run the backend's tests: no two of them use the same hub at the same time. */
const HUBS = 2;

/** Tests whose controllers reconcile everything on the hub: no other test may use it at the same time. */
const WHOLE_HUB = 'src/rollingsync/';
/** Tests that start an embedded hub of their own. */
const OWN_HUB = 'src/takeover/';
/** Runs where the path of OCM's agent is given, with two more API servers as managed clusters. */
const WORK_AGENT_TESTS = 'src/systemTests/movingWithWorkAgent';
const NO_WORK_AGENT =
  'ARGOCD_FLEET_OCM_WORK_AGENT is not the path of OCM’s program `work` (built from its repository by `go build ./cmd/work`): the tests with the real work agent are skipped.';
const NO_CONTROLLERS =
  'No kube-controller-manager in KUBEBUILDER_ASSETS: nothing is garbage-collected and no namespace is finalized, so the tests that need that are skipped, including the loop in the browser.';

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
    startHubs(binaries, true),
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
      process.env.ARGOCD_FLEET_TESTS === 'long'
        ? [...BACKEND_TESTS, ...LONG_BACKEND_TESTS]
        : BACKEND_TESTS,
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
  const workAgent = async () => {
    if (!process.env.ARGOCD_FLEET_OCM_WORK_AGENT) {
      return skipped(NO_WORK_AGENT);
    }
    const clusters = await startHubs(binaries, false);
    try {
      return await runJest(folder, 'work-agent', {
        command: ['package', 'test'],
        cwd: join(ROOT, 'plugins/argocd-fleet-backend'),
        args: [WORK_AGENT_TESTS],
        env: {
          ...env,
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
  try {
    await use({
      contract,
      'progressive sync': wholeHub,
      backend,
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

/** Starts as many API servers as there are hubs; when one of them cannot be started, stops the others. */
async function startHubs(binaries, auditLog) {
  const starts = await Promise.allSettled(
    Array.from({ length: HUBS }, () =>
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

function skipped(reason) {
  return { ...NO_COUNTS, skipped: 1, notes: [reason] };
}
