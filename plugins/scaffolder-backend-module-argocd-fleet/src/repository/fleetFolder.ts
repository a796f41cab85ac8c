/** Of the manifests in a repository. An Application on the hub reads it with all folders below. */
export const FLEET_FOLDER = 'fleet';

/** Folder of the manifests of one ApplicationSet. */
export const folderOf = (applicationSet: string) =>
  `${FLEET_FOLDER}/${applicationSet}`;

/** In {@link folderOf}. */
export const APPLICATION_SET_FILE = 'applicationset.yaml';
export const PLACEMENT_FILE = 'placement.yaml';
