import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a `kubectl` ended. */
export interface KubectlEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `kubectl` that goes on until it is stopped. */
export interface RunningKubectl {
  /** What it has printed so far. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}

/** The program, on one hub and with nobody else's settings. */
export class Kubectl {
  readonly #program: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-kubectl-'));

  constructor(program: string, kubeconfig: string) {
    this.#program = program;
    writeFileSync(join(this.#folder, 'kubeconfig'), kubeconfig, {
      mode: 0o600,
    });
  }

  /** Runs a command to its end; `input` is what it reads from `-f -`, objects as JSON. */
  async run(args: readonly string[], input?: object): Promise<KubectlEnd> {
    const child = this.#start(args);
    const [stdout, stderr] = [textOf(child.stdout!), textOf(child.stderr!)];
    child.stdin!.end(input && JSON.stringify(input));
    const [code] = await once(child, 'close');
    return { code, stdout: stdout(), stderr: stderr() };
  }

  /** What a command prints; throws when it fails. */
  async print(args: readonly string[], input?: object): Promise<string> {
    const { code, stdout, stderr } = await this.run(args, input);
    if (code !== 0) {
      throw new Error(
        `kubectl ${args.join(' ')} ended with ${code}: ${stderr}`,
      );
    }
    return stdout;
  }

  /** Starts a command that does not end by itself. */
  watch(args: readonly string[]): RunningKubectl {
    const child = this.#start(args);
    const stdout = textOf(child.stdout!);
    const stderr = textOf(child.stderr!);
    return {
      get lines() {
        return `${stdout()}${stderr()}`.split('\n').filter(line => line !== '');
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
        // Where it keeps what it has discovered: ours alone, for servers take turns on a port.
        HOME: this.#folder,
        KUBECONFIG: join(this.#folder, 'kubeconfig'),
      },
    });
  }
}

function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: string[] = [];
  stream.setEncoding('utf8');
  stream.on('data', chunk => chunks.push(chunk));
  return () => chunks.join('');
}
