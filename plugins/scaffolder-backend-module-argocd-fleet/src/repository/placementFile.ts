import { parseAllDocuments, type Document } from 'yaml';
import type { Files } from './promoteValues';

/**
 * The file with the manifest of a Placement, its spec replaced: comments within are lost, the rest of the file stays.
 * @returns undefined where no file has it
 */
export function replacePlacementSpec(
  files: Files,
  name: string,
  spec: object,
): { readonly file: string; readonly text: string } | undefined {
  for (const [file, text] of files) {
    const documents = parseAllDocuments(text) as Document.Parsed[];
    const found = documents.find(
      document =>
        document.errors.length === 0 &&
        document.get('kind') === 'Placement' &&
        document.getIn(['metadata', 'name']) === name,
    );
    if (found) {
      found.set('spec', found.createNode(spec));
      return { file, text: documents.map(String).join('') };
    }
  }
  return undefined;
}
