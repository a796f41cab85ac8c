import { InputError } from '@backstage/errors';
import type { PullModelApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import type { z as zod } from 'zod/v3';

type Z = typeof zod;

/** Inputs of the actions that describe a pull-model ApplicationSet. */
export const APPLICATION_SET_INPUT = {
  placement: (z: Z) =>
    z.string().min(1).describe('Name of a Placement in the same namespace'),
  repoURL: (z: Z) =>
    z.string().min(1).optional().describe('Git repository with the manifests'),
  cloneUrl: (z: Z) =>
    z
      .string()
      .min(1)
      .optional()
      .describe(
        'The same as repoURL, for a template with an action that has the input repoUrl: the catalog refuses an entity with keys that differ in case only',
      ),
  path: (z: Z) =>
    z.string().min(1).describe('Folder of the manifests in the repository'),
  targetRevision: (z: Z) =>
    z
      .string()
      .optional()
      .describe('Branch, tag or commit; by default the default branch'),
  destinationNamespace: (z: Z) =>
    z
      .string()
      .min(1)
      .describe(
        'Namespace on the clusters that the application is deployed to',
      ),
  project: (z: Z) =>
    z
      .string()
      .min(1)
      .optional()
      .describe(
        'AppProject of the Applications, which the configuration of the hub allows; by default `default`',
      ),
  automated: (z: Z) =>
    z
      .boolean()
      .optional()
      .describe(
        'Argo CD syncs each change of the repository by itself, deletes what is removed from it (prune), and undoes changes on the clusters (self-heal); by default true',
      ),
  rollingSync: (z: Z) =>
    z
      .object({
        label: z
          .string()
          .optional()
          .describe('Key of a label of the clusters, such as environment'),
        values: z
          .array(z.string().min(1))
          .optional()
          .describe('Values of the label, in the order of the steps'),
        maxUpdate: z
          .union([z.string(), z.number()])
          .optional()
          .describe(
            'Clusters of a step at a time, as a number or a percentage; by default all',
          ),
      })
      .optional()
      .describe(
        "Clusters get a change step by step, by a label of theirs; the last step is for those with another value, or none. The hub's Argo CD needs progressive syncs enabled. By default all at once",
      ),
  owner: (z: Z) =>
    z
      .string()
      .min(1)
      .optional()
      .describe(
        'Entity reference of the group or user that owns the ApplicationSet; by default the owner of the component',
      ),
  component: (z: Z) =>
    z
      .object({
        name: z.string().min(1),
        owner: z.string().optional(),
        title: z.string().optional(),
        description: z.string().optional(),
      })
      .optional()
      .describe(
        'Catalog component to create for this application, if no catalog file describes one',
      ),
};

/** Values of {@link APPLICATION_SET_INPUT}. */
interface ApplicationSetInput extends Partial<
  Pick<PullModelApplicationSet, 'automated' | 'component' | 'owner' | 'project'>
> {
  readonly placement: string;
  readonly destinationNamespace: string;
  readonly repoURL?: string;
  readonly cloneUrl?: string;
  readonly path: string;
  readonly targetRevision?: string;
  readonly rollingSync?: RollingSyncInput;
}

/** As a form has it: nothing in it means no rolling sync. */
interface RollingSyncInput {
  readonly label?: string;
  readonly values?: readonly string[];
  readonly maxUpdate?: string | number;
}

/**
 * The ApplicationSet that an action was given.
 * @throws InputError without a repository, or with a rolling sync that is half given
 */
export function readApplicationSet(
  input: ApplicationSetInput,
): PullModelApplicationSet {
  const { placement, component, path, targetRevision } = input;
  const { cloneUrl, repoURL = cloneUrl } = input;
  if (!repoURL) {
    throw new InputError(
      'No repository is given: set repoURL (or cloneUrl) to the Git repository with the manifests',
    );
  }
  const { project = 'default', owner, automated = true } = input;
  return {
    placement,
    source: { repoURL, path, ...(targetRevision && { targetRevision }) },
    destinationNamespace: input.destinationNamespace,
    project,
    automated,
    ...(owner && { owner }),
    ...(component && { component }),
    ...readRollingSync(input.rollingSync),
  };
}

function readRollingSync({
  label,
  values = [],
  maxUpdate,
}: RollingSyncInput = {}): Pick<PullModelApplicationSet, 'rollingSync'> {
  if (!label && values.length === 0) {
    return {};
  }
  if (!label || values.length === 0) {
    throw new InputError(
      `rollingSync has ${label ? 'a label but no values' : 'values but no label'}: give the label of the clusters and its values in the order of the steps, or neither`,
    );
  }
  return {
    rollingSync: {
      label,
      values: [...values],
      ...(maxUpdate && { maxUpdate: String(maxUpdate) }),
    },
  };
}
