/** One reason inside a {@link Status}. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The object that a {@link Status} is about. */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** `metav1.Status`, the body of every error and of some successes. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** The {@link Status} of a failed request. */
export function failureStatus(
  code: number,
  reason: string,
  message: string,
  details?: StatusDetails,
  metadata: Status['metadata'] = {},
): Status & { code: number } {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  };
}

/** The name of a resource or kind in messages: `applications.argoproj.io`, or `secrets` in the core group. */
export function qualifiedName(group: string, name: string): string {
  return group ? `${name}.${group}` : name;
}
