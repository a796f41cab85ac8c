// The programs of a real control plane: those that KUBEBUILDER_ASSETS names, or built from their published Go modules at pinned
// versions, once a machine, into a cache outside the repository.
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
import { join } from 'node:path';
import { step } from '../output.mjs';
import { ROOT } from '../paths.mjs';

const MODULES = join(ROOT, 'e2e-tests', 'real-hub');
const OLDEST_GO = [1, 26];

/** What is built from which module: the name of each program and the package that it is made of; `sources` are files of our own. */
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
    // What /version and `kubectl version` say; without it they say v0.0.0, and clients that look at it misjudge the server.
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

/** The release of Go on the PATH, `[1, 26]`; undefined where there is none. */
function goRelease() {
  const { status, stdout } = spawnSync('go', ['env', 'GOVERSION'], {
    encoding: 'utf8',
  });
  const match = status === 0 && /^go(\d+)\.(\d+)/.exec(stdout.trim());
  return match ? [Number(match[1]), Number(match[2])] : undefined;
}

function isNewEnough([major, minor]) {
  return (
    major > OLDEST_GO[0] || (major === OLDEST_GO[0] && minor >= OLDEST_GO[1])
  );
}

/** The version that a module's go.mod requires of another one. */
function pinnedVersion(module, path) {
  const text = readFileSync(join(MODULES, module, 'go.mod'), 'utf8');
  const line = text
    .split('\n')
    .map(each => each.trim().replace(/^require /, ''))
    .find(each => each.startsWith(`${path} v`));
  if (!line) {
    throw new Error(
      `e2e-tests/real-hub/${module}/go.mod requires no version of ${path}`,
    );
  }
  return line.split(' ')[1];
}

/** Where a module's programs are once they are built; another pin, platform or way to build is another folder. */
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

/** Removes what builds left behind that were killed. */
function removeAbandonedBuilds() {
  for (const name of readdirSync(cacheFolder())) {
    const match = /\.building-(\d+)$/.exec(name);
    if (match && !isRunning(Number(match[1]))) {
      rmSync(join(cacheFolder(), name), { recursive: true, force: true });
    }
  }
}

/** Runs `go` and waits; a signal to this process ends it first, so that no compiler goes on alone. */
function runGo(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      // A newer toolchain or a C compiler would make other programs of the same sources.
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

/** Paths of a module's programs by name, built now if they are not there yet. */
async function programsOf(module) {
  const { title, programs, pins, linkerFlags } = BUILDS[module];
  const target = targetFolder(module);
  if (!existsSync(target)) {
    mkdirSync(cacheFolder(), { recursive: true });
    removeAbandonedBuilds();
    const temporary = `${target}.building-${process.pid}`;
    const names = Object.keys(programs);
    // With one program -o names the file, with several the folder.
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

const INSTALL_GO = `Install Go ${OLDEST_GO.join('.')} or later (https://go.dev/dl)`;
const HOW_TO_GET = {
  controlPlane: `${INSTALL_GO}, then they are built once, in about 10 minutes; or set KUBEBUILDER_ASSETS to a folder that holds etcd, kube-apiserver and kube-controller-manager.`,
  cel: `${INSTALL_GO}, then it is built once, in half a minute.`,
  argocd: `${INSTALL_GO}, then it is built once, in about 7 minutes; or put an argocd of ${pinnedVersion('argocd', BUILDS.argocd.pins)} into the folder that KUBEBUILDER_ASSETS names.`,
};

/** Why nothing can be built here, and what to do about it; undefined where it can. */
function whyNotBuild(howToGetIt) {
  const release = goRelease();
  if (release === undefined) {
    return `there is no Go on the PATH. ${howToGetIt}`;
  }
  return isNewEnough(release)
    ? undefined
    : `Go is ${release.join('.')}. ${howToGetIt}`;
}

function fromAssets(folder) {
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
        missing: `KUBEBUILDER_ASSETS is ${folder}, and ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not there. Name a folder that holds them, or unset it.`,
      };
}

async function builtPrograms(modules, howToGetThem) {
  const isComplete = modules.every(module => existsSync(targetFolder(module)));
  const missing = isComplete ? undefined : whyNotBuild(howToGetThem);
  if (missing) {
    return { missing };
  }
  // One after the other: each uses every core, and the first ones make the Go build cache of the next.
  const found = {};
  for (const module of modules) {
    Object.assign(found, await programsOf(module));
  }
  return { found };
}

/**
 * Finds the programs of a real control plane, or builds them.
 *
 * @param {object} [options]
 * @param {boolean} [options.argocd] - also Argo CD's program, which is each of its components by ARGOCD_BINARY_NAME
 * @returns {Promise<{ binaries?: Record<string, string>, missing?: string, noArgocd?: string }>} paths by the program's name: `etcd`
 *   and `kube-apiserver` always, `argocd` where asked for, `kube-controller-manager` and `kubectl` unless KUBEBUILDER_ASSETS lacks them;
 *   or `missing`, a sentence that says what to install or set. `noArgocd` says why Argo CD could not be had: everything else goes without
 * @throws when a build of the control plane fails, with the compiler's words
 */
export async function findOrBuildControlPlane({ argocd = false } = {}) {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const controlPlane = assets
    ? fromAssets(assets)
    : await builtPrograms(['etcd', 'kubernetes'], HOW_TO_GET.controlPlane);
  if (controlPlane.missing) {
    return {
      missing: `No real control plane: ${controlPlane.missing}`,
    };
  }
  if (!argocd || controlPlane.found.argocd) {
    return { binaries: controlPlane.found };
  }
  const { found, missing } = await builtPrograms(
    ['argocd'],
    HOW_TO_GET.argocd,
  ).catch(error => ({ missing: error.message }));
  return {
    binaries: { ...controlPlane.found, ...found },
    ...(missing && { noArgocd: `No Argo CD: ${missing}` }),
  };
}

/**
 * Finds the program that evaluates CEL as OCM's work agent does, or builds it.
 *
 * @returns {Promise<{ path?: string, missing?: string }>} its path; or `missing`, a sentence that says why it could not be had
 */
export async function findOrBuildAgentCel() {
  const { found, missing } = await builtPrograms(['cel'], HOW_TO_GET.cel).catch(
    error => ({ missing: error.message }),
  );
  return found
    ? { path: found['agent-cel'] }
    : { missing: `No CEL of the work agent: ${missing}` };
}
