import { KubeObject } from './objects';

// Kubernetes' own resources: the fields that the fleet reads or writes.

export interface Secret extends KubeObject {
  type?: string;
  /** base64 values */
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    /** RFC 3339 with microseconds */
    renewTime?: string;
  };
}
