import { dirname, join } from 'node:path';

/** The repository. */
export const ROOT = dirname(import.meta.dirname);

/** Where the embedded hub writes its kubeconfig unless told otherwise. */
export const KUBECONFIG = join(ROOT, '.embedded-hub', 'kubeconfig');
