import type {
  LoggerService,
  UrlReaderService,
} from '@backstage/backend-plugin-api';
import type { Files } from './promoteValues';
import type { HostedRepository } from './sourceControl';

/** Larger than any values file, or manifest with images. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The YAML files of a folder of a repository, by their paths in it. One that is too large is left out, with a warning.
 * @param folder - empty for the root
 */
export async function readFolder(
  reader: UrlReaderService,
  ctx: { readonly logger: LoggerService; readonly signal?: AbortSignal },
  repository: HostedRepository,
  folder: string,
  revision: string,
): Promise<Files> {
  const tree = await reader.readTree(repository.treeUrl(revision, folder), {
    signal: ctx.signal,
    filter: file => /\.ya?ml$/.test(file),
  });
  const files = new Map<string, string>();
  for (const file of await tree.files()) {
    const content = await file.content();
    if (content.length > MAX_FILE_BYTES) {
      ctx.logger.warn(`Left out, since it is larger than 1 MiB: ${file.path}`);
    } else {
      files.set(file.path, content.toString());
    }
  }
  return files;
}
