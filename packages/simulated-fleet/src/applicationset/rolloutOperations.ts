import {
  Application,
  ApplicationSet,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { RollingSyncProgress } from './rollingSync';

/** The set's Applications without automated sync; Applications that may sync now get an operation. */
export function withOperations(
  applicationSet: ApplicationSet,
  applications: readonly Application[],
  existing: readonly Application[],
  { released }: RollingSyncProgress,
): Application[] {
  // Argo CD uses the status before the reconcile: after a move to Pending, the
  // operation follows in the next reconcile.
  const pending = new Set(
    applicationSet.status?.applicationStatus
      ?.filter(({ status }) => status === 'Pending')
      .map(({ application }) => application),
  );
  const live = new Map(existing.map(each => [each.metadata.name, each]));
  return applications.map(application => {
    const { name } = application.metadata;
    const { automated, ...others } = application.spec?.syncPolicy ?? {};
    const isAutomated = automated && automated.enabled !== false;
    const manual = isAutomated
      ? { ...application, spec: { ...application.spec, syncPolicy: others } }
      : application;
    const isDue =
      released.has(name) &&
      pending.has(name) &&
      live.get(name)?.status?.sync?.status === 'OutOfSync';
    return isDue
      ? {
          ...manual,
          operation: syncOperation(
            manual,
            Boolean(isAutomated && automated?.prune),
          ),
        }
      : manual;
  });
}

function syncOperation({ spec }: Application, prune: boolean): SyncOperation {
  const { syncOptions, retry } = spec?.syncPolicy ?? {};
  return {
    sync: { ...(prune && { prune }), ...(syncOptions && { syncOptions }) },
    initiatedBy: { username: 'applicationset-controller', automated: true },
    info: [
      {
        name: 'Reason',
        value:
          'ApplicationSet RollingSync triggered a sync of this Application resource',
      },
    ],
    retry: retry ?? { limit: 5 },
  };
}
