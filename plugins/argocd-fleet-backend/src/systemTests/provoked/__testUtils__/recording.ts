import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

const FILE = resolve(
  __dirname,
  '../../../model/__testUtils__/provokedTexts-v3.2.11.json',
);

/** Their evidence is what an operation waits for, and no error that is recognised. */
const WAITING = ['AFC-221', 'AFC-226', 'AFC-229', 'AFC-257'];

/** A message of Argo CD about an Application. */
export interface ReportedMessage {
  /** Of the condition; absent for a resource that a sync could not apply. */
  readonly type?: string;
  readonly message: string;
}

/** The message that is the evidence of a finding. */
export interface RecordedText extends ReportedMessage {
  /** Of the Application that fails. */
  readonly name: string;
  readonly code: string;
  readonly names?: string;
}

/** Whatever may be the evidence of a finding. */
export function messagesOf(
  application: ArgoApplication | undefined,
): ReportedMessage[] {
  const { conditions = [], operationState } = application?.status ?? {};
  return [
    ...conditions.map(({ type = '', message = '' }) => ({ type, message })),
    ...(operationState?.syncResult?.resources ?? []).flatMap(({ message }) =>
      message ? [{ message }] : [],
    ),
    ...(operationState?.message
      ? [{ type: 'OperationError', message: operationState.message }]
      : []),
  ];
}

/** Stores the messages, in which nothing is of the machine that they come from. */
export function writeRecording(texts: readonly RecordedText[]): void {
  const errors = texts.filter(({ code }) => !WAITING.includes(code));
  const json = JSON.stringify(errors, null, 2)
    .replace(/ on [\d.]+:53\b/g, ' on 10.0.0.10:53')
    .replace(/\/tmp\/argocd-\w+/g, '/tmp/argocd');
  writeFileSync(FILE, `${json}\n`);
}
