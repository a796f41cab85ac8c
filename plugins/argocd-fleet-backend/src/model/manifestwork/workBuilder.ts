import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { goJsonBytes } from '../json';
import { buildManifestWork, type WorkTarget } from './manifestWork';
import type { WorkOptions } from './workOptions';
import { manifestBytes } from './workSize';

/** A work. */
export interface BuiltWork {
  readonly work: ManifestWork;
  /** The size of its manifests in bytes as OCM's webhook counts it; computed when it is read. */
  readonly bytes: number;
}

/** Builds the works of Applications; they are read-only, since callers may share them. */
export interface WorkBuilder {
  build(
    application: ArgoApplication,
    target: WorkTarget,
    options: WorkOptions,
  ): BuiltWork;
  /**
   * Whether the manifests of the work are certainly within the limit of their size, so that it need not be built only to
   * know that; false if it is not known.
   */
  isSmall(application: ArgoApplication, target: WorkTarget): boolean;
}

/** Builds each work anew. */
export const PLAIN_BUILDER: WorkBuilder = {
  build(application, target, options) {
    const work = buildManifestWork(application, target, options);
    return {
      work,
      get bytes() {
        return manifestBytes(work);
      },
    };
  },
  isSmall: () => false,
};

/** So many built works are remembered. */
const REMEMBERED_WORKS = 200;
/**
 * Kubernetes allows 256 KiB of annotations. With a spec and labels below these limits, a work without companions other
 * than a namespace has less than half a megabyte of manifests.
 */
const SMALL_SPEC_BYTES = 100_000;
const FEW_LABELS = 100;

/**
 * Creates a builder that remembers the last works that it built, and which specs are small. One change of an
 * Application needs its work several times within moments: to write it, to compare it with what was stored, to record
 * it and to show it.
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
  /** By spec: the Applications of a set often share theirs. */
  const small = new WeakMap<object, boolean>();
  return {
    build(application, target, options) {
      const known = last.get(application);
      if (
        known?.options === options &&
        known.target.cluster === target.cluster &&
        known.target.name === target.name &&
        known.target.appProject === target.appProject &&
        known.target.defaultNamespace === target.defaultNamespace
      ) {
        return known.built;
      }
      const built = PLAIN_BUILDER.build(application, target, options);
      last.delete(application);
      last.set(application, { target, options, built });
      if (last.size > REMEMBERED_WORKS) {
        const [oldest] = last.keys();
        last.delete(oldest);
      }
      return built;
    },
    isSmall({ spec, operation, metadata }, { appProject }) {
      if (
        appProject ||
        operation ||
        Object.keys(metadata.labels ?? {}).length > FEW_LABELS
      ) {
        return false;
      }
      let isSmall = small.get(spec);
      if (isSmall === undefined) {
        isSmall = goJsonBytes(JSON.stringify(spec)) < SMALL_SPEC_BYTES;
        small.set(spec, isSmall);
      }
      return isSmall;
    },
  };
}
