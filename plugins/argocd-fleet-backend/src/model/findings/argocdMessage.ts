/**
 * Where an error arose, as Argo CD words it:
 * - `repoServer`: the application controller got no answer from the repo server;
 * - `repository`: the repo server could not fetch or resolve a source;
 * - `tool`: Helm, Kustomize, a plugin or a file of the source could not be rendered;
 * - `liveState`: the cluster's API server could not be read;
 * - `other`: none of these, mostly what an API server answered to a sync.
 */
export type ErrorPlace =
  'repoServer' | 'repository' | 'tool' | 'liveState' | 'other';

/** An error of Argo CD, and the part of its text that Argo CD or the server wrote that it names. */
export interface ArgocdMessage {
  readonly place: ErrorPlace;
  /** Empty for `tool`: a chart can word that. */
  readonly text: string;
}

/** Conditions about an operation, which stay when the Application is compared again; others are about a comparison. */
export const OPERATION_ERRORS: readonly string[] = [
  'SyncError',
  // The operation's own message, where no condition repeats it.
  'OperationError',
];

/** Before the error of a comparison, where an operation failed for it. */
const OPERATION_PREFIXES = [
  /^Failed (?:last )?sync attempt[^:]{0,1000}: /i,
  /^ComparisonError: /,
];
const TARGET_STATE = /^Failed to load target state: /i;
const LIVE_STATE =
  /^(?:Failed to load live state: |failed to get cluster info for |error synchronizing cache state ?: |failed to load initial state of resource )/i;
const SOURCE = /^failed to generate manifest for source \d+ of \d+: /i;
const RPC = /^rpc error: code = (\w+) desc = /;
const CACHED = /^Manifest generation error \(cached\): /;

/** Codes that the connection to the repo server gives; whatever that answers itself has another one. */
const NO_ANSWER = ['Unavailable', 'DeadlineExceeded'];

/** Where the output of a program begins that renders, or Argo CD's error about a file of the source. */
const TOOL =
  /`(?!git |helm (?:pull|dependency|registry|repo|show) )[^`]{1,2000}` failed|CMP processing failed|error generating manifests|failed to (?:unmarshal|evaluate jsonnet)|found multiple objects|execution error|Error: template:/i;

/**
 * Reads where an error arose, by the words with which Argo CD begins its message: whoever writes a chart can word
 * everything behind the program that renders it.
 */
export function readArgocdMessage(message: string): ArgocdMessage {
  let text = message;
  for (const prefix of OPERATION_PREFIXES) {
    text = text.replace(prefix, '');
  }
  if (LIVE_STATE.test(text)) {
    return { place: 'liveState', text };
  }
  const isRendering = TARGET_STATE.test(text) || SOURCE.test(text);
  if (!isRendering && !RPC.test(text)) {
    return { place: 'other', text };
  }
  text = text.replace(TARGET_STATE, '').replace(SOURCE, '');
  const code = RPC.exec(text)?.[1];
  if (code && NO_ANSWER.includes(code)) {
    return { place: 'repoServer', text };
  }
  // What the repo server keeps of an error may begin with a code once more, which is that of a service behind it.
  text = text.replace(RPC, '').replace(CACHED, '').replace(RPC, '');
  const tool = text.search(TOOL);
  return tool === 0
    ? { place: 'tool', text: '' }
    : {
        place: 'repository',
        text: tool < 0 ? text : text.slice(0, tool),
      };
}
