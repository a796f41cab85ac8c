import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Result of an expression in cel-go. */
export interface CelResult {
  readonly value?: unknown;
  readonly error?: string;
  /** In the API server's cost units: a million is about a tenth of a second. */
  readonly cost?: number;
}

/** A running `real-hub/cel`, which evaluates CEL as OCM's work agent does. */
export interface AgentCel {
  evaluate(expression: string, object: object): Promise<CelResult>;
  stop(): Promise<void>;
}

/** Starts the program of `real-hub/cel`. */
export function startAgentCel(binary: string): AgentCel {
  const child = spawn(binary, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[
    Symbol.asyncIterator
  ]();
  const ended = once(child, 'exit');
  return {
    async evaluate(expression, object) {
      child.stdin.write(`${JSON.stringify({ expression, object })}\n`);
      const { value, done } = await lines.next();
      if (done) {
        throw new Error(`${binary} ended before it answered`);
      }
      return JSON.parse(value);
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
