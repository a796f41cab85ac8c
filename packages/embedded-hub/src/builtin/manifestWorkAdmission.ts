import { isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ApiError } from '../api/statusErrors';

/** OCM's limit on the manifests of one work, in bytes (500 KiB). */
const MANIFESTS_LIMIT = 512_000;

const WEBHOOK =
  'manifestworkvalidators.admission.work.open-cluster-management.io';

function denied(why: string): ApiError {
  return new ApiError(
    400,
    'BadRequest',
    `admission webhook "${WEBHOOK}" denied the request: ${why}`,
  );
}

/** Length of a length-delimited protobuf field whose tag takes one byte. */
function fieldLength(content: number): number {
  let lengthBytes = 1;
  for (let rest = content; rest >= 0x80; rest >>>= 7) {
    lengthBytes += 1;
  }
  return 1 + lengthBytes + content;
}

/** OCM measures a manifest in protobuf: its JSON text inside two nested messages. */
function manifestSize(manifest: unknown): number {
  return fieldLength(fieldLength(Buffer.byteLength(JSON.stringify(manifest))));
}

function admitManifestWork(work: KubernetesObject): void {
  const spec = work.spec as
    { workload?: { manifests?: unknown[] } } | undefined;
  const manifests = spec?.workload?.manifests ?? [];
  if (manifests.length === 0) {
    throw denied('Workload manifests should not be empty');
  }
  const size = manifests.reduce<number>(
    (sum, manifest) => sum + manifestSize(manifest),
    0,
  );
  if (size > MANIFESTS_LIMIT) {
    throw denied(
      `the size of manifests is ${size} bytes which exceeds the ${MANIFESTS_LIMIT} limit`,
    );
  }
  for (const manifest of manifests) {
    const metadata = isJsonObject(manifest) ? manifest.metadata : undefined;
    if (!isJsonObject(metadata) || !metadata.name) {
      throw denied('name must be set in manifest');
    }
    if (metadata.generateName) {
      throw denied('generateName must not be set in manifest');
    }
  }
}

/** The checks of OCM's admission webhook for ManifestWorks; undefined for other kinds. */
export function manifestWorkAdmission(
  group: string,
  kind: string,
): ((object: KubernetesObject) => void) | undefined {
  return group === 'work.open-cluster-management.io' && kind === 'ManifestWork'
    ? admitManifestWork
    : undefined;
}
