import { dirname, join } from 'node:path';

/** The repository's root folder. */
export const ROOT = dirname(import.meta.dirname);

/** The default path of the embedded hub's kubeconfig. */
export const KUBECONFIG = join(ROOT, '.embedded-hub', 'kubeconfig');
