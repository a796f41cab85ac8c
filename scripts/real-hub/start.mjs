// Runs a real Kubernetes control plane on loopback: etcd, kube-apiserver, and kube-controller-manager for what the garbage collector and
// the namespace controller do.
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
import { freePort } from '../services.mjs';
import { hubDefinitions, installDefinitions } from './definitions.mjs';
import { startProgram } from './programs.mjs';

const READY_TIMEOUT_MS = 120_000;
const USER = 'fleet-admin';

/** Each request once, before the server looks at it: what has been answered is in the log. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['ResponseStarted', 'ResponseComplete', 'Panic'],
  rules: [
    { level: 'None', users: ['system:apiserver'] },
    { level: 'Metadata' },
  ],
};

/** Writes a secret file unless a control plane of before left it in this folder. */
function keep(path, content) {
  if (!existsSync(path)) {
    writeFileSync(path, content(), { mode: 0o600 });
  }
  return path;
}

function writeCredentials(folder) {
  const publicKey = join(folder, 'service-accounts.pub');
  const privateKey = keep(join(folder, 'service-accounts.key'), () => {
    const pair = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    writeFileSync(publicKey, pair.publicKey);
    return pair.privateKey;
  });
  const tokens = keep(
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
    // A machine that crashes takes the tests with it anyway, and without it a write costs a tenth.
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
    // Whoever reads along would lose the place if a new file were begun.
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
    // There are no pods, and so nothing that makes or needs default service accounts.
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
    // The default 20 requests a second make a large namespace wait for minutes.
    ...['--kube-api-qps', '200', '--kube-api-burst', '400'],
  ]);
}

/** A bare client of the API server; the certificate is there only once the server is. */
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

/** Waits until every namespace that a client expects is there: the server's last step to readiness. */
async function untilReady(call, programs) {
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
    const wait = new Promise(resolve => setTimeout(resolve, 100));
    const end = await Promise.race([wait, ...ended]);
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

/** JSON is YAML, and so what every client reads. */
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

/** Stops on signals too; what other listeners do on them stays theirs. */
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
 * @param {Record<string, string>} options.binaries - what `findOrBuildControlPlane` found; without kube-controller-manager nothing is
 *   garbage-collected and no namespace ever ends
 * @param {number} [options.port] - of the API server; default a free one
 * @param {string} [options.dataDir] - keeps the state over a restart; default a temporary folder that goes with it
 * @param {boolean} [options.auditLog] - writes down every request, which costs some speed
 * @returns `url`, `kubeconfig` (its text), `kubeconfigPath`, `etcdUrl`, `auditLogPath` (undefined without that log), and what every
 *   service has: `name`, `ended`, `output()`, `stop()`
 * @throws when a program ends before it is ready, with its last words
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
  // Also where this process ends without stopping anything.
  process.once('exit', removeFolder);
  let stopped;
  let forgetSignals = () => {};
  const stop = () => {
    stopped ??= (async () => {
      forgetSignals();
      for (const program of [...programs].reverse()) {
        await program.stop();
      }
      process.off('exit', removeFolder);
      removeFolder();
    })();
    return stopped;
  };
  forgetSignals = stopOnSignals(stop);
  try {
    const definitions = hubDefinitions();
    // Awaited once the servers are up; a failure before that must not end the process as an unhandled one.
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
    await untilReady(call, programs);
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
