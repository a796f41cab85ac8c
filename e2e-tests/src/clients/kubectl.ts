import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectOutput } from '../processes/collectOutput';

/** Exit code and output of a `kubectl` command. */
export interface KubectlResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `kubectl` command that runs until it is stopped. */
export interface RunningKubectl {
  /** Lines printed so far. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** Runs `kubectl` against one hub, isolated from the user's own settings. */
export class Kubectl {
  readonly #program: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-kubectl-'));

  constructor(program: string, kubeconfig: string) {
    this.#program = program;
    writeFileSync(join(this.#folder, 'kubeconfig'), kubeconfig, {
      mode: 0o600,
    });
  }

  /** Runs a command to its end; `input` becomes JSON for `-f -`. */
  async run(args: readonly string[], input?: object): Promise<KubectlResult> {
    const child = this.#start(args);
    const stdout = collectOutput(child.stdout);
    const stderr = collectOutput(child.stderr);
    child.stdin!.end(input && JSON.stringify(input));
    const [code] = await once(child, 'close');
    return { code, stdout: stdout(), stderr: stderr() };
  }

  /** Standard output of a command; throws if it fails. */
  async print(args: readonly string[], input?: object): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (code !== 0) {
      throw new Error(
        `kubectl ${args.join(' ')} ended with ${code}: ${stderr}`,
      );
    }
    return stdout;
  }

  /** Starts a command that does not end on its own. */
  watch(args: readonly string[]): RunningKubectl {
    const child = this.#start(args);
    const output = collectOutput(child.stdout, child.stderr);
    return {
      get lines() {
        return output().split('\n').filter(Boolean);
      },
      async stop() {
        const closed = once(child, 'close');
        child.kill();
        await closed;
      },
    };
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #start(args: readonly string[]): ChildProcess {
    return spawn(this.#program, args, {
      env: {
        PATH: process.env.PATH,
        // kubectl caches discovery here by server address, and different servers reuse a port.
        HOME: this.#folder,
        KUBECONFIG: join(this.#folder, 'kubeconfig'),
      },
    });
  }
}
