import { StructuralSchema } from '../schema/structuralSchema';
import {
  BOOLEAN,
  choice,
  CONDITIONS,
  CrdDeclaration,
  INT32,
  INT64,
  keyedList,
  list,
  object,
  STRING,
  STRINGS,
} from './crdDeclaration';

const SUBDOMAIN: StructuralSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 253,
  pattern:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$',
};

const RESOURCE_IDENTIFIER = object(
  { group: STRING, name: STRING, namespace: STRING, resource: STRING },
  ['name', 'resource'],
);

const CONDITION_RULE: StructuralSchema = {
  ...object(
    {
      celExpressions: STRINGS,
      condition: STRING,
      message: STRING,
      messageExpression: STRING,
      type: choice(['WellKnownConditions', 'CEL']),
    },
    ['condition', 'type'],
  ),
  'x-kubernetes-validations': [
    {
      rule: `self.type != 'CEL' || self.condition != ""`,
      message: 'Condition is required for CEL rules',
    },
  ],
};

const FEEDBACK_RULE = object(
  {
    jsonPaths: keyedList(
      ['name'],
      object({ name: STRING, path: STRING, version: STRING }, ['name', 'path']),
    ),
    type: choice(['WellKnownStatus', 'JSONPaths']),
  },
  ['type'],
);

const UPDATE_STRATEGY = object(
  {
    serverSideApply: object({
      fieldManager: {
        type: 'string',
        default: 'work-agent',
        pattern: '^work-agent',
      },
      force: BOOLEAN,
      ignoreFields: keyedList(
        ['condition'],
        object(
          {
            condition: choice(
              ['OnSpokePresent', 'OnSpokeChange'],
              'OnSpokePresent',
            ),
            jqPathExpressions: STRINGS,
            jsonPaths: STRINGS,
            jsonPointers: STRINGS,
          },
          ['condition'],
        ),
      ),
    }),
    type: choice(
      ['Update', 'CreateOnly', 'ServerSideApply', 'ReadOnly'],
      'Update',
    ),
  },
  ['type'],
);

const SPEC = object({
  deleteOption: object({
    propagationPolicy: choice(
      ['Foreground', 'Orphan', 'SelectivelyOrphan'],
      'Foreground',
    ),
    selectivelyOrphans: object({ orphaningRules: list(RESOURCE_IDENTIFIER) }),
    ttlSecondsAfterFinished: INT64,
  }),
  executor: object({
    subject: object(
      {
        serviceAccount: object({ name: SUBDOMAIN, namespace: SUBDOMAIN }, [
          'name',
          'namespace',
        ]),
        type: choice(['ServiceAccount']),
      },
      ['type'],
    ),
  }),
  manifestConfigs: list(
    object(
      {
        conditionRules: keyedList(['condition'], CONDITION_RULE),
        feedbackRules: list(FEEDBACK_RULE),
        feedbackScrapeType: choice(['Poll', 'Watch'], 'Poll'),
        resourceIdentifier: RESOURCE_IDENTIFIER,
        updateStrategy: UPDATE_STRATEGY,
      },
      ['resourceIdentifier'],
    ),
  ),
  workload: object({
    manifests: list({
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    }),
  }),
});

const FEEDBACK_VALUE = object(
  {
    fieldValue: object(
      {
        boolean: BOOLEAN,
        integer: INT64,
        jsonRaw: { type: 'string', maxLength: 1024 },
        string: STRING,
        type: choice(['Integer', 'String', 'Boolean', 'JsonRaw']),
      },
      ['type'],
    ),
    name: STRING,
  },
  ['fieldValue', 'name'],
);

const STATUS = object({
  conditions: CONDITIONS,
  resourceStatus: object({
    manifests: list(
      object(
        {
          conditions: CONDITIONS,
          resourceMeta: object(
            {
              group: STRING,
              kind: STRING,
              name: STRING,
              namespace: STRING,
              ordinal: INT32,
              resource: STRING,
              version: STRING,
            },
            ['ordinal'],
          ),
          statusFeedback: object({
            values: keyedList(['name'], FEEDBACK_VALUE),
          }),
        },
        ['conditions', 'resourceMeta'],
      ),
    ),
  }),
});

/** The resource of Open Cluster Management's work distribution. */
export const WORK_CRDS: readonly CrdDeclaration[] = [
  {
    group: 'work.open-cluster-management.io',
    version: 'v1',
    kind: 'ManifestWork',
    plural: 'manifestworks',
    statusSubresource: true,
    properties: { spec: SPEC, status: STATUS },
  },
];
