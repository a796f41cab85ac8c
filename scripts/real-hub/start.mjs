// Runs a real Kubernetes control plane on loopback: etcd, kube-apiserver, and kube-controller-manager with the garbage
// collector and the namespace controller.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../services.mjs';
import { hubDefinitions, installDefinitions } from './definitions.mjs';
import { startProgram } from './programs.mjs';

const READY_TIMEOUT_MS = 120_000;
const USER = 'fleet-admin';

/** Logs each request once, when it is received: every request that was answered is in the log. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['ResponseStarted', 'ResponseComplete', 'Panic'],
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'Metadata' },
  ],
};

/** Writes a secret file unless an earlier control plane left it in this folder. */
function writeOnce(path, content) {
  if (!existsSync(path)) {
    writeFileSync(path, content(), { mode: 0o600 });
  }
  return path;
}

function writeCredentials(folder) {
  const publicKey = join(folder, 'service-accounts.pub');
  const privateKey = writeOnce(join(folder, 'service-accounts.key'), () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    writeFileSync(publicKey, pair.publicKey);
    return pair.privateKey;
  });
  const tokens = writeOnce(
    join(folder, 'tokens.csv'),
    () => `${randomBytes(24).toString('hex')},${USER},${USER},system:masters\n`,
  );
  return {
    publicKey,
    privateKey,
    tokens,
    token: readFileSync(tokens, 'utf8').split(',')[0],
  };
}

function startEtcd(binary, folder, ports) {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  const etcd = startProgram('etcd', binary, [
    ...['--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
    ...['--quota-backend-bytes', String(8 * 1024 ** 3)],
    ...['--log-level', 'warn'],
    // A write costs a tenth without fsync, and the tests do not survive a crash of the machine anyway.
    '--unsafe-no-fsync',
  ]);
  return { ...etcd, url: client };
}

function auditArguments(folder, path) {
  const policy = join(folder, 'audit-policy.json');
  writeFileSync(policy, JSON.stringify(AUDIT_POLICY));
  return [
    ...['--audit-policy-file', policy, '--audit-log-path', path],
    ...['--audit-log-mode', 'blocking'],
    // A rotated log file would break its readers.
    ...['--audit-log-maxsize', '10000'],
  ];
}

function startApiServer(binary, folder, ports, etcdUrl, credentials, audit) {
  return startProgram('kube-apiserver', binary, [
    ...['--etcd-servers', etcdUrl],
    ...['--secure-port', String(ports.api)],
    ...['--bind-address', '127.0.0.1', '--advertise-address', '127.0.0.1'],
    ...['--cert-dir', join(folder, 'certificates')],
    ...['--service-account-issuer', 'https://kubernetes.default.svc'],
    ...['--service-account-key-file', credentials.publicKey],
    ...['--service-account-signing-key-file', credentials.privateKey],
    ...['--service-cluster-ip-range', '10.0.0.0/24'],
    ...['--token-auth-file', credentials.tokens],
    ...['--authorization-mode', 'RBAC'],
    // Without pods, nothing creates or needs default service accounts.
    ...['--disable-admission-plugins', 'ServiceAccount'],
    ...['--endpoint-reconciler-type', 'none'],
    ...audit,
  ]);
}

function startControllerManager(binary, kubeconfigPath) {
  return startProgram('kube-controller-manager', binary, [
    ...['--kubeconfig', kubeconfigPath],
    ...['--controllers', 'garbage-collector-controller,namespace-controller'],
    ...['--leader-elect=false', '--secure-port=0'],
    // With the default of 20 requests a second, deleting a large namespace takes minutes.
    ...['--kube-api-qps', '200', '--kube-api-burst', '400'],
  ]);
}

/**
 * A minimal client of the API server; it reads the certificate for each request because the server creates it at its
 * start.
 */
function createCall(port, folder, token) {
  const certificate = join(folder, 'certificates', 'apiserver.crt');
  return (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          ...{ port, method, path, ca: readFileSync(certificate) },
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
          timeout: 10_000,
        },
        response => {
          const chunks = [];
          response.on('data', chunk => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on('timeout', () =>
        outgoing.destroy(new Error('no answer within 10 s')),
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

/** Waits until the API server is ready and has created the default namespace, its last step. */
async function waitUntilReady(call, programs) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const ended = programs.map(async program => ({
    program,
    reason: await program.ended,
  }));
  for (;;) {
    let problem;
    try {
      const ready = await call('GET', '/readyz');
      const namespace = await call('GET', '/api/v1/namespaces/default');
      if (ready.status === 200 && namespace.status === 200) {
        return;
      }
      problem = `readyz ${ready.status}, default namespace ${namespace.status}`;
    } catch (error) {
      problem = error.message;
    }
    const end = await Promise.race([setTimeout(100), ...ended]);
    if (end) {
      throw new Error(
        `${end.program.name} ended (${end.reason}) before it was ready:\n${end.program.output().slice(-3000)}`,
      );
    }
    if (Date.now() > deadline) {
      throw new Error(
        `The control plane was not ready within ${READY_TIMEOUT_MS / 1000} s (${problem}):\n${programs
          .map(program => program.output().slice(-1500))
          .join('\n')}`,
      );
    }
  }
}

/** The kubeconfig as JSON, which is valid YAML. */
function kubeconfigText(url, folder, token) {
  const certificate = readFileSync(
    join(folder, 'certificates', 'apiserver.crt'),
  );
  const name = 'real-hub';
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            server: url,
            'certificate-authority-data': certificate.toString('base64'),
          },
        },
      ],
      users: [{ name: USER, user: { token } }],
      contexts: [
        { name, context: { cluster: name, user: USER, namespace: 'default' } },
      ],
      'current-context': name,
    },
    undefined,
    2,
  )}\n`;
}

/**
 * Stops the control plane on signals, and then ends this process unless it has other listeners; returns a function that
 * removes them.
 */
function stopOnSignals(stop) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => {
    const handler = async () => {
      await stop();
      if (process.listenerCount(signal) === 0) {
        process.kill(process.pid, signal);
      }
    };
    process.once(signal, handler);
    return [signal, handler];
  });
  return () =>
    handlers.forEach(([name, handler]) => process.off(name, handler));
}

/**
 * Starts a control plane and installs the hub's definitions on it.
 *
 * @param {object} options
 * @param {Record<string, string>} options.binaries - from `findOrBuildControlPlane`; without kube-controller-manager
 *   nothing is garbage-collected and no namespace is finalized
 * @param {number} [options.port] - port of the API server; by default a free one
 * @param {string} [options.dataDir] - keeps the state over a restart; by default a temporary folder that is removed at
 *   the end
 * @param {boolean} [options.auditLog] - logs every request, which makes the server slower
 * @returns `url`, `kubeconfig` (text), `kubeconfigPath`, `etcdUrl`, `auditLogPath` (undefined without `auditLog`), and
 *   the members of every service: `name`, `ended`, `output()`, `stop()`
 * @throws when a program ends before it is ready, with the end of its output
 */
export async function startControlPlane({
  binaries,
  port,
  dataDir,
  auditLog = false,
}) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'argocd-fleet-hub-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const programs = [];
  const removeFolder = () => {
    if (!dataDir) {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  // Remove the folder even if this process ends without calling `stop`.
  process.once('exit', removeFolder);
  let stopped;
  let removeSignalHandlers = () => {};
  const stop = () => {
    stopped ??= (async () => {
      removeSignalHandlers();
      for (const program of [...programs].reverse()) {
        await program.stop();
      }
      process.off('exit', removeFolder);
      removeFolder();
    })();
    return stopped;
  };
  removeSignalHandlers = stopOnSignals(stop);
  try {
    const definitions = hubDefinitions();
    // Awaited only when the servers are ready; until then a failure must not be an unhandled rejection.
    definitions.catch(() => {});
    const credentials = writeCredentials(folder);
    const ports = {
      api: port || (await freePort()),
      etcd: await freePort(),
      peer: await freePort(),
    };
    const etcd = startEtcd(binaries.etcd, folder, ports);
    programs.push(etcd);
    const auditLogPath = auditLog ? join(folder, 'audit.log') : undefined;
    programs.push(
      startApiServer(
        binaries['kube-apiserver'],
        folder,
        ports,
        etcd.url,
        credentials,
        auditLogPath ? auditArguments(folder, auditLogPath) : [],
      ),
    );
    const call = createCall(ports.api, folder, credentials.token);
    await waitUntilReady(call, programs);
    await installDefinitions(call, await definitions);
    const url = `https://127.0.0.1:${ports.api}`;
    const kubeconfig = kubeconfigText(url, folder, credentials.token);
    const kubeconfigPath = join(folder, 'kubeconfig');
    writeFileSync(kubeconfigPath, kubeconfig, { mode: 0o600 });
    const controllerManager = binaries['kube-controller-manager'];
    if (controllerManager) {
      programs.push(startControllerManager(controllerManager, kubeconfigPath));
    }
    return {
      ...{ name: 'hub', url, etcdUrl: etcd.url, kubeconfig, kubeconfigPath },
      auditLogPath,
      ended: Promise.race(
        programs.map(async ({ name, ended }) => `${name}: ${await ended}`),
      ),
      output: () => programs.map(program => program.output()).join(''),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
