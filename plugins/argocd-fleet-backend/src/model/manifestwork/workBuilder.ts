import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { buildManifestWork, type WorkTarget } from './manifestWork';
import type { WorkOptions } from './workOptions';
import { manifestBytes } from './workSize';

/** A work, and the size of its manifests in bytes as OCM's webhook counts it. */
export interface BuiltWork {
  readonly work: ManifestWork;
  readonly bytes: number;
}

/** Builds the work of an Application; read-only, since callers may share it. */
export type WorkBuilder = (
  application: ArgoApplication,
  target: WorkTarget,
  options: WorkOptions,
) => BuiltWork;

/** Builds each work anew. */
export const buildWork: WorkBuilder = (application, target, options) => {
  const work = buildManifestWork(application, target, options);
  return { work, bytes: manifestBytes(work) };
};

/** So many built works are remembered. */
const REMEMBERED_WORKS = 200;

/**
 * Creates a builder that remembers the last works that it built. One change of an Application needs its work several
 * times within moments: to write it, to compare it with what was stored, to record it and to show it.
 */
export function createWorkBuilder(): WorkBuilder {
  const last = new Map<
    ArgoApplication,
    {
      readonly target: WorkTarget;
      readonly options: WorkOptions;
      readonly built: BuiltWork;
    }
  >();
  return (application, target, options) => {
    const known = last.get(application);
    if (
      known?.options === options &&
      known.target.cluster === target.cluster &&
      known.target.name === target.name &&
      known.target.appProject === target.appProject
    ) {
      return known.built;
    }
    const built = buildWork(application, target, options);
    last.delete(application);
    last.set(application, { target, options, built });
    if (last.size > REMEMBERED_WORKS) {
      const [oldest] = last.keys();
      last.delete(oldest);
    }
    return built;
  };
}
