// Provides the programs of a real control plane: from KUBEBUILDER_ASSETS, or built once from their published Go modules
// at pinned versions, into a cache outside the repository.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { step } from '../output.mjs';
import { ROOT } from '../paths.mjs';

const MODULES = join(ROOT, 'e2e-tests', 'real-hub');
const MINIMUM_GO = [1, 26];

/**
 * Builds by module: its pinned dependency, its programs with their Go packages, and `sources`, which are files of this
 * repository.
 */
const BUILDS = {
  etcd: {
    title: 'Building etcd (about a minute)',
    pins: 'go.etcd.io/etcd/server/v3',
    programs: { etcd: 'go.etcd.io/etcd/server/v3' },
    linkerFlags: () => '-s -w',
  },
  kubernetes: {
    title:
      'Building kube-apiserver, kube-controller-manager and kubectl (about 8 minutes on two cores)',
    pins: 'k8s.io/kubernetes',
    programs: {
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      'kube-controller-manager':
        'k8s.io/kubernetes/cmd/kube-controller-manager',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
    },
    // The version of /version and `kubectl version`. Without it that is v0.0.0, which misleads clients.
    linkerFlags(version) {
      const [major, minor] = version.slice(1).split('.');
      const variable = 'k8s.io/component-base/version.git';
      return `-s -w -X ${variable}Version=${version} -X ${variable}Major=${major} -X ${variable}Minor=${minor}`;
    },
  },
  argocd: {
    title: 'Building Argo CD (about 7 minutes on two cores)',
    pins: 'github.com/argoproj/argo-cd/v3',
    programs: { argocd: 'github.com/argoproj/argo-cd/v3/cmd' },
    linkerFlags: version =>
      `-s -w -X github.com/argoproj/argo-cd/v3/common.version=${version.slice(1)}`,
  },
  rendering: {
    title: 'Building Helm and Kustomize (about a minute)',
    pins: 'helm.sh/helm/v3',
    programs: {
      helm: 'helm.sh/helm/v3/cmd/helm',
      kustomize: 'sigs.k8s.io/kustomize/kustomize/v5',
    },
    linkerFlags: () => '-s -w',
  },
  cel: {
    title: "Building the work agent's CEL (about half a minute)",
    pins: 'k8s.io/apiserver',
    programs: { 'agent-cel': '.' },
    sources: ['main.go'],
    linkerFlags: () => '-s -w',
  },
};

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(base, 'argocd-fleet');
}

/** The release of Go on the PATH, for example `[1, 26]`; undefined without Go. */
function goRelease() {
  const { status, stdout } = spawnSync('go', ['env', 'GOVERSION'], {
    encoding: 'utf8',
  });
  const match = status === 0 && /^go(\d+)\.(\d+)/.exec(stdout.trim());
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

function isNewEnough([major, minor]) {
  return (
    major > MINIMUM_GO[0] || (major === MINIMUM_GO[0] && minor >= MINIMUM_GO[1])
  );
}

/** The version that a module's go.mod requires of another one. */
function pinnedVersion(module, path) {
  const text = readFileSync(join(MODULES, module, 'go.mod'), 'utf8');
  const line = text
    .split('\n')
    .map(entry => entry.trim().replace(/^require /, ''))
    .find(entry => entry.startsWith(`${path} v`));
  if (!line) {
    throw new Error(
      `e2e-tests/real-hub/${module}/go.mod requires no version of ${path}`,
    );
  }
  return line.split(' ')[1];
}

/** The folder of a module's programs; it depends on the pinned version, the platform and the build options. */
function targetFolder(module) {
  const { programs, pins, sources = [], linkerFlags } = BUILDS[module];
  const version = pinnedVersion(module, pins);
  const hash = createHash('sha256').update(
    JSON.stringify([
      process.platform,
      process.arch,
      programs,
      linkerFlags(version),
    ]),
  );
  for (const file of ['go.mod', 'go.sum', ...sources]) {
    hash.update(readFileSync(join(MODULES, module, file)));
  }
  return join(
    cacheFolder(),
    `${module}-${version}-${hash.digest('hex').slice(0, 12)}`,
  );
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Removes the temporary folders of builds that were killed. */
function removeAbandonedBuilds() {
  for (const name of readdirSync(cacheFolder())) {
    const match = /\.building-(\d+)$/.exec(name);
    if (match && !isRunning(Number(match[1]))) {
      rmSync(join(cacheFolder(), name), { recursive: true, force: true });
    }
  }
}

/** Runs `go`; a signal to this process is forwarded, so that no compiler outlives it. */
function runGo(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      // A newer toolchain or a C compiler would build other programs from the same sources.
      env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const output = [];
    child.stderr.on('data', chunk => output.push(chunk));
    const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => {
      const handler = () => child.kill('SIGTERM');
      process.on(signal, handler);
      return [signal, handler];
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      handlers.forEach(([name, handler]) => process.off(name, handler));
      const text = Buffer.concat(output).toString().trim();
      if (code === 0) {
        resolve();
      } else {
        reject(
          new Error(
            `\`go ${args[0]}\` in ${cwd} ended with ${signal ?? `code ${code}`}:\n${text.slice(-4000)}`,
          ),
        );
      }
    });
  });
}

/** Builds a module's programs unless they exist; returns their paths by name. */
async function buildModule(module) {
  const { title, programs, pins, linkerFlags } = BUILDS[module];
  const target = targetFolder(module);
  if (!existsSync(target)) {
    mkdirSync(cacheFolder(), { recursive: true });
    removeAbandonedBuilds();
    const temporary = `${target}.building-${process.pid}`;
    const names = Object.keys(programs);
    // For one program -o is the file, for several the folder.
    const output =
      names.length === 1 ? join(temporary, names[0]) : `${temporary}/`;
    try {
      mkdirSync(temporary);
      await step(title, () =>
        runGo(
          [
            ...['build', '-mod=readonly', '-buildvcs=false'],
            ...['-ldflags', linkerFlags(pinnedVersion(module, pins))],
            ...['-o', output, ...Object.values(programs)],
          ],
          join(MODULES, module),
        ),
      );
      if (!existsSync(target)) {
        renameSync(temporary, target);
      }
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
  }
  return Object.fromEntries(
    Object.keys(programs).map(name => [name, join(target, name)]),
  );
}

const INSTALL_GO = `Install Go ${MINIMUM_GO.join('.')} or later (https://go.dev/dl)`;
const INSTALL_HINTS = {
  controlPlane: `${INSTALL_GO}, then the programs are built once, in about 10 minutes; or set KUBEBUILDER_ASSETS to a folder that holds etcd, kube-apiserver and kube-controller-manager.`,
  cel: `${INSTALL_GO}, then the program is built once, in half a minute.`,
  rendering: `${INSTALL_GO}, then they are built once, in a minute.`,
  argocd: `${INSTALL_GO}, then Argo CD is built once, in about 7 minutes; or put an argocd of ${pinnedVersion('argocd', BUILDS.argocd.pins)} into the folder that KUBEBUILDER_ASSETS names.`,
};

/** Why nothing can be built on this machine, followed by the hint; undefined if it can. */
function whyNotBuildable(hint) {
  const release = goRelease();
  if (release === undefined) {
    return `there is no Go on the PATH. ${hint}`;
  }
  return isNewEnough(release)
    ? undefined
    : `Go is ${release.join('.')}. ${hint}`;
}

function findInAssets(folder) {
  const found = Object.fromEntries(
    Object.values(BUILDS)
      .flatMap(({ programs }) => Object.keys(programs))
      .filter(name => existsSync(join(folder, name)))
      .map(name => [name, join(folder, name)]),
  );
  const missing = ['etcd', 'kube-apiserver'].filter(name => !found[name]);
  return missing.length === 0
    ? { found }
    : {
        missing: `KUBEBUILDER_ASSETS is ${folder}, which lacks ${missing.join(' and ')}. Name a folder that holds them, or unset it.`,
      };
}

async function findOrBuild(modules, hint) {
  const isComplete = modules.every(module => existsSync(targetFolder(module)));
  const missing = isComplete ? undefined : whyNotBuildable(hint);
  if (missing) {
    return { missing };
  }
  // One after the other: each build uses every core, and fills the Go build cache for the next.
  const found = {};
  for (const module of modules) {
    Object.assign(found, await buildModule(module));
  }
  return { found };
}

/**
 * Finds the programs of a real control plane, or builds them.
 *
 * @param {object} [options]
 * @param {boolean} [options.argocd] - also Argo CD's program; ARGOCD_BINARY_NAME selects the component that it runs as
 * @returns {Promise<{ binaries?: Record<string, string>, missing?: string, noArgocd?: string }>} paths by program name:
 *   always `etcd` and `kube-apiserver`, with the option `argocd`, `kube-controller-manager` and `kubectl` unless
 *   KUBEBUILDER_ASSETS lacks them; or `missing`, a sentence that says what to install or set. `noArgocd` says why there
 *   is no Argo CD
 * @throws when a build of the control plane fails, with the compiler's output
 */
export async function findOrBuildControlPlane({ argocd = false } = {}) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const controlPlane = assets
    ? findInAssets(assets)
    : await findOrBuild(['etcd', 'kubernetes'], INSTALL_HINTS.controlPlane);
  if (controlPlane.missing) {
    return {
      missing: `No real control plane: ${controlPlane.missing}`,
    };
  }
  if (!argocd || controlPlane.found.argocd) {
    return { binaries: controlPlane.found };
  }
  const { found, missing } = await findOrBuild(
    ['argocd'],
    INSTALL_HINTS.argocd,
  ).catch(error => ({ missing: error.message }));
  return {
    binaries: { ...controlPlane.found, ...found },
    ...(missing && { noArgocd: `No Argo CD: ${missing}` }),
  };
}

/**
 * Finds the program that evaluates CEL as OCM's work agent does, or builds it.
 *
 * @returns {Promise<{ path?: string, missing?: string }>} its path; or `missing`, a sentence that says why there is
 *   none
 */
export async function findOrBuildAgentCel() {
  const { found, missing } = await findOrBuild(
    ['cel'],
    INSTALL_HINTS.cel,
  ).catch(error => ({ missing: error.message }));
  return found
    ? { path: found['agent-cel'] }
    : { missing: `No CEL of the work agent: ${missing}` };
}

/**
 * Finds Helm and Kustomize, which Argo CD's repo server runs, or builds them.
 *
 * @returns {Promise<{ folder?: string, missing?: string }>} where they are; or `missing`, a sentence that says why they
 *   are not
 */
export async function findOrBuildRenderingTools() {
  const { found, missing } = await findOrBuild(
    ['rendering'],
    INSTALL_HINTS.rendering,
  ).catch(error => ({ missing: error.message }));
  return found
    ? { folder: dirname(found.helm) }
    : { missing: `No Helm and Kustomize: ${missing}` };
}
