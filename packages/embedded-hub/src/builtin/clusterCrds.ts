import { StructuralSchema } from '../schema/structuralSchema';
import {
  AGE_DECLARATION,
  ANY_OBJECT,
  BOOLEAN,
  choice,
  CLAIM_SELECTOR,
  conditionColumn,
  CONDITIONS,
  CrdDeclaration,
  DATE_TIME,
  INT32,
  INT64,
  keyedList,
  LABEL_SELECTOR,
  list,
  object,
  openObject,
  QUALIFIED_KEY,
  STRING,
  STRINGS,
  UNKEYED_CONDITIONS,
} from './crdDeclaration';

const GROUP = 'cluster.open-cluster-management.io';

const EFFECT = choice(['NoSelect', 'PreferNoSelect', 'NoSelectIfNew']);

const NAMESPACE_NAME: StructuralSchema = {
  type: 'string',
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
};

const QUANTITIES: StructuralSchema = {
  type: 'object',
  additionalProperties: {
    'x-kubernetes-int-or-string': true,
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  },
};

const MANAGED_CLUSTERS: CrdDeclaration = {
  group: GROUP,
  version: 'v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  shortNames: ['mcl', 'mcls'],
  scope: 'Cluster',
  statusSubresource: true,
  columns: [
    {
      name: 'Hub Accepted',
      type: 'boolean',
      jsonPath: '.spec.hubAcceptsClient',
    },
    {
      name: 'Managed Cluster URLs',
      type: 'string',
      jsonPath: '.spec.managedClusterClientConfigs[*].url',
    },
    conditionColumn('Joined', 'ManagedClusterJoined'),
    conditionColumn('Available', 'ManagedClusterConditionAvailable'),
    AGE_DECLARATION,
  ],
  properties: {
    spec: object({
      hubAcceptsClient: BOOLEAN,
      leaseDurationSeconds: { ...INT32, default: 60 },
      managedClusterClientConfigs: list(
        object({ caBundle: { type: 'string', format: 'byte' }, url: STRING }, [
          'url',
        ]),
      ),
      taints: list(
        object(
          {
            effect: EFFECT,
            key: QUALIFIED_KEY,
            timeAdded: { ...DATE_TIME, nullable: true },
            value: { type: 'string', maxLength: 1024 },
          },
          ['effect', 'key'],
        ),
      ),
    }),
    status: object({
      allocatable: QUANTITIES,
      capacity: QUANTITIES,
      clusterClaims: list(
        object({
          name: { type: 'string', minLength: 1, maxLength: 253 },
          value: { type: 'string', minLength: 1, maxLength: 1024 },
        }),
      ),
      conditions: CONDITIONS,
      managedNamespaces: keyedList(
        ['clusterSet', 'name'],
        object(
          {
            clusterSet: STRING,
            conditions: CONDITIONS,
            name: NAMESPACE_NAME,
          },
          ['clusterSet', 'name'],
        ),
      ),
      version: object({ kubernetes: STRING }),
    }),
  },
};

const DEFAULT_SELECTOR = { selectorType: 'ExclusiveClusterSetLabel' };

const MANAGED_CLUSTER_SETS: CrdDeclaration = {
  group: GROUP,
  version: 'v1beta2',
  kind: 'ManagedClusterSet',
  plural: 'managedclustersets',
  shortNames: ['mclset', 'mclsets'],
  scope: 'Cluster',
  statusSubresource: true,
  columns: [conditionColumn('Empty', 'ClusterSetEmpty'), AGE_DECLARATION],
  properties: {
    spec: {
      ...object({
        clusterSelector: {
          ...object(
            {
              labelSelector: LABEL_SELECTOR,
              selectorType: choice(
                ['ExclusiveClusterSetLabel', 'LabelSelector'],
                'ExclusiveClusterSetLabel',
              ),
            },
            ['selectorType'],
          ),
          default: DEFAULT_SELECTOR,
        },
        managedNamespaces: keyedList(
          ['name'],
          object({ name: NAMESPACE_NAME }, ['name']),
        ),
      }),
      default: { clusterSelector: DEFAULT_SELECTOR },
    },
    status: object({ conditions: UNKEYED_CONDITIONS }),
  },
};

const MANAGED_CLUSTER_SET_BINDINGS: CrdDeclaration = {
  group: GROUP,
  version: 'v1beta2',
  kind: 'ManagedClusterSetBinding',
  plural: 'managedclustersetbindings',
  shortNames: ['mclsetbinding', 'mclsetbindings'],
  statusSubresource: true,
  properties: {
    spec: object({ clusterSet: { type: 'string', minLength: 1 } }),
    status: object({ conditions: UNKEYED_CONDITIONS }),
  },
};

const PREDICATES = list(
  object({
    requiredClusterSelector: object({
      celSelector: object({ celExpressions: STRINGS }),
      claimSelector: CLAIM_SELECTOR,
      labelSelector: LABEL_SELECTOR,
    }),
  }),
);

const TOLERATIONS = list(
  object({
    effect: EFFECT,
    key: QUALIFIED_KEY,
    operator: { type: 'string', default: 'Equal' },
    tolerationSeconds: INT64,
    value: { type: 'string', maxLength: 1024 },
  }),
);

const PRIORITIZERS = object({
  configurations: list(
    object(
      {
        scoreCoordinate: object(
          {
            addOn: object({ resourceName: STRING, scoreName: STRING }, [
              'resourceName',
              'scoreName',
            ]),
            builtIn: STRING,
            type: choice(['BuiltIn', 'AddOn'], 'BuiltIn'),
          },
          ['type'],
        ),
        weight: { ...INT32, default: 1, minimum: -10, maximum: 10 },
      },
      ['scoreCoordinate'],
    ),
  ),
  mode: { type: 'string', default: 'Additive' },
});

const SPREAD = object({
  spreadConstraints: {
    ...list(
      object(
        {
          maxSkew: { ...INT32, default: 1, minimum: 1 },
          topologyKey: {
            ...QUALIFIED_KEY,
            pattern:
              '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
          },
          topologyKeyType: choice(['Label', 'Claim']),
          whenUnsatisfiable: choice(
            ['DoNotSchedule', 'ScheduleAnyway'],
            'ScheduleAnyway',
          ),
        },
        ['topologyKey', 'topologyKeyType'],
      ),
    ),
    maxItems: 8,
  },
});

const PLACEMENTS: CrdDeclaration = {
  group: GROUP,
  version: 'v1beta1',
  kind: 'Placement',
  plural: 'placements',
  statusSubresource: true,
  columns: [
    conditionColumn('Succeeded', 'PlacementSatisfied'),
    conditionColumn('Reason', 'PlacementSatisfied', 'reason'),
    {
      name: 'SelectedClusters',
      type: 'integer',
      jsonPath: '.status.numberOfSelectedClusters',
    },
  ],
  properties: {
    spec: object({
      clusterSets: STRINGS,
      decisionStrategy: object({
        groupStrategy: object({
          clustersPerDecisionGroup: {
            'x-kubernetes-int-or-string': true,
            pattern: '^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$',
            default: '100%',
          },
          decisionGroups: list(
            object(
              {
                groupClusterSelector: object({
                  claimSelector: CLAIM_SELECTOR,
                  labelSelector: LABEL_SELECTOR,
                }),
                groupName: {
                  type: 'string',
                  pattern: '^[a-zA-Z0-9][-A-Za-z0-9_.]{0,61}[a-zA-Z0-9]$',
                },
              },
              ['groupClusterSelector', 'groupName'],
            ),
          ),
        }),
      }),
      numberOfClusters: INT32,
      predicates: PREDICATES,
      prioritizerPolicy: PRIORITIZERS,
      scoreRateLimit: {
        type: 'string',
        default: '1m',
        pattern: '^[0-9]+[hms]$',
      },
      sortBy: choice(['ClusterName', 'Score'], 'ClusterName'),
      spreadPolicy: SPREAD,
      tolerations: TOLERATIONS,
    }),
    status: object({
      conditions: CONDITIONS,
      decisionGroups: list(
        object({
          clusterCount: { ...INT32, default: 0 },
          decisionGroupIndex: INT32,
          decisionGroupName: STRING,
          decisions: STRINGS,
        }),
      ),
      lastScoreUpdateTime: DATE_TIME,
      numberOfSelectedClusters: INT32,
    }),
  },
  required: ['spec'],
};

const PLACEMENT_DECISIONS: CrdDeclaration = {
  group: GROUP,
  version: 'v1beta1',
  kind: 'PlacementDecision',
  plural: 'placementdecisions',
  statusSubresource: true,
  properties: {
    status: object(
      {
        decisions: list(
          object({ clusterName: STRING, reason: STRING, score: INT64 }, [
            'clusterName',
            'reason',
          ]),
        ),
      },
      ['decisions'],
    ),
  },
};

const MANAGED_CLUSTER_ADDONS: CrdDeclaration = {
  group: 'addon.open-cluster-management.io',
  version: 'v1alpha1',
  kind: 'ManagedClusterAddOn',
  plural: 'managedclusteraddons',
  shortNames: ['mca', 'mcas'],
  statusSubresource: true,
  columns: [
    conditionColumn('Available', 'Available'),
    conditionColumn('Degraded', 'Degraded'),
    conditionColumn('Progressing', 'Progressing'),
  ],
  properties: {
    spec: ANY_OBJECT,
    status: openObject({ conditions: CONDITIONS }),
  },
};

/** The resources of Open Cluster Management's registration and placement. */
export const CLUSTER_CRDS: readonly CrdDeclaration[] = [
  MANAGED_CLUSTERS,
  MANAGED_CLUSTER_SETS,
  MANAGED_CLUSTER_SET_BINDINGS,
  PLACEMENTS,
  PLACEMENT_DECISIONS,
  MANAGED_CLUSTER_ADDONS,
];
