// Rules of dependency-cruiser for the floors of docs/architecture.md. `npm test` checks them.
//
// A room is a folder. It imports only rooms on lower floors, never another room on its own floor. Tests are exempt.

/** The floors of each package, the highest first; `.` is the package's source folder itself. */
const FLOORS = {
  'plugins/argocd-fleet-backend': {
    // A room imports only the index.ts of other rooms: everything else in them can be changed freely.
    throughIndex: true,
    floors: [
      ['.'],
      ['config', 'telemetry', 'api'],
      ['catalog'],
      [
        'controllers/clusterImport',
        'controllers/propagation',
        'controllers/applicationStatus',
        'controllers/aggregation',
        'controllers/resourceSync',
      ],
      ['sources'],
      ['sources/search'],
      ['runtime'],
      ['fleet'],
      ['fleet/transforms'],
      ['database'],
      ['model/views'],
      ['model/report', 'model/clusterimport'],
      ['model/status', 'model/removal'],
      ['model/manifestwork', 'model/links'],
      ['model/findings'],
      ['model/feedback'],
      ['model/delivery', 'model/placement', 'model/writes'],
      ['model/json', 'model/text'],
      ['kubernetes/informer'],
      ['kubernetes/client'],
      ['async'],
    ],
  },
  'plugins/argocd-fleet': {
    // Files of the source folder that every room may import, and that import no room.
    foundation: [
      'api',
      'availability',
      'messages',
      'objectRef',
      'routes',
      'rowIdentity',
      'sharedChanges',
    ],
    floors: [
      ['.'],
      ['list'],
      ['entity', 'template'],
      ['section'],
      ['drawer'],
      ['drawer/timeline'],
      ['version'],
      ['findings', 'notice', 'source'],
      ['code', 'live', 'table'],
      ['status', 'time'],
    ],
  },
  'plugins/argocd-fleet-common': { floors: [['.']] },
  'plugins/argocd-fleet-node': { floors: [['.']] },
  'plugins/catalog-backend-module-argocd-fleet': { floors: [['.']] },
  'plugins/scaffolder-backend-module-argocd-fleet': {
    foundation: ['fleetAccess', 'leftovers', 'markdown'],
    floors: [['.'], ['actions'], ['repository', 'rollout']],
  },
  'packages/app': { floors: [['.']] },
  'packages/backend': { floors: [['.']] },
  'packages/embedded-hub': {
    floors: [
      ['.'],
      ['http'],
      ['authorization', 'controllers', 'discovery', 'snapshot'],
      ['builtin', 'operations'],
      ['selection', 'table'],
      ['apply', 'patch', 'resources'],
      ['schema', 'store'],
      ['api', 'protobuf'],
    ],
  },
  'packages/simulated-fleet': {
    floors: [
      ['.'],
      ['generator'],
      ['agent'],
      ['argocd'],
      ['applicationset', 'argocd/rollouts', 'registration', 'search'],
      ['cluster', 'placement'],
      ['agent/cel', 'hub', 'scenario'],
      ['runtime'],
      ['kubernetes'],
    ],
  },
  'packages/git-server': { floors: [['.']] },
  'packages/hub-faults': { floors: [['.']] },
  'packages/apimachinery': {
    foundation: ['objects'],
    floors: [['.'], ['jsonpath']],
  },
};

/**
 * Which of our packages each package may import. The embedded hub, the fleet and the fault proxy share no code with the
 * backend, so that they stay an independent check of it.
 */
const PACKAGE_IMPORTS = {
  'plugins/argocd-fleet-common': [],
  'plugins/argocd-fleet-node': ['plugins/argocd-fleet-common'],
  'plugins/argocd-fleet': ['plugins/argocd-fleet-common'],
  'plugins/argocd-fleet-backend': [
    'plugins/argocd-fleet-common',
    'plugins/argocd-fleet-node',
  ],
  'plugins/catalog-backend-module-argocd-fleet': [
    'plugins/argocd-fleet-common',
    'plugins/argocd-fleet-node',
  ],
  'plugins/scaffolder-backend-module-argocd-fleet': [
    'plugins/argocd-fleet-common',
  ],
  'packages/apimachinery': [],
  'packages/embedded-hub': ['packages/apimachinery'],
  'packages/git-server': ['packages/apimachinery'],
  'packages/simulated-fleet': ['packages/apimachinery', 'packages/git-server'],
  'packages/hub-faults': ['packages/apimachinery'],
  'packages/app': ['plugins/argocd-fleet'],
  'packages/backend': [
    'plugins/argocd-fleet-backend',
    'plugins/argocd-fleet-common',
    'plugins/argocd-fleet-node',
    'plugins/catalog-backend-module-argocd-fleet',
    'plugins/scaffolder-backend-module-argocd-fleet',
  ],
};

const TESTS = '\\.test\\.|/setupTests\\.|/__testUtils__/|/systemTests/';

const anyOf = names => `(${names.join('|')})`;

function floorRules(name, { floors, foundation = [], throughIndex = false }) {
  const source = `^${name}/src/`;
  /** Patterns for the files directly in these rooms, not in their subfolders. */
  const filesOf = rooms =>
    rooms.map(room => `${source}${room === '.' ? '' : `${room}/`}[^/]+$`);
  const base =
    foundation.length > 0 ? [`${source}${anyOf(foundation)}\\.`] : [];
  const offeredBy = rooms =>
    throughIndex
      ? rooms.map(room => `${source}${room}/index\\.ts$`)
      : filesOf(rooms);
  const rules = floors.flatMap((floor, index) => {
    const lower = floors.slice(index + 1).flat();
    return floor.map(room => ({
      name: `floor of ${name}/src/${room}`,
      severity: 'error',
      comment: `It may import${throughIndex ? ' the index.ts of' : ''}: ${[...lower, ...foundation].join(', ') || 'no other room'}.`,
      from: { path: filesOf([room]), pathNot: [TESTS, ...base] },
      to: {
        path: source,
        pathNot: [...filesOf([room]), ...offeredBy(lower), ...base],
      },
    }));
  });
  if (base.length > 0) {
    rules.push({
      name: `floor of the foundation of ${name}/src`,
      severity: 'error',
      comment: `${foundation.join(', ')} may import only each other.`,
      from: { path: base, pathNot: TESTS },
      to: { path: source, pathNot: base },
    });
  }
  rules.push({
    name: `room without a floor in ${name}/src`,
    severity: 'error',
    comment: 'Add the folder to a floor in .dependency-cruiser.cjs.',
    from: { path: source, pathNot: [TESTS, ...filesOf(floors.flat())] },
    to: {},
  });
  return rules;
}

function packageRule([name, allowed]) {
  return {
    name: `packages that ${name} may import`,
    severity: 'error',
    comment: `Of our own packages only: ${allowed.join(', ') || 'none'}.`,
    from: { path: `^${name}/src/`, pathNot: TESTS },
    to: {
      path: '^(packages|plugins)/',
      pathNot: `^${anyOf([name, ...allowed])}/`,
    },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no circles',
      severity: 'error',
      comment:
        'Files that import each other, directly or through others, cannot be read one after the other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no tests in production',
      severity: 'error',
      comment: 'Code that only tests share is not part of the product.',
      from: { path: '^(plugins|packages)/[^/]+/src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'pure model',
      severity: 'error',
      comment:
        'model/ has no I/O: it imports nothing of the backend but itself.',
      from: {
        path: '^plugins/argocd-fleet-backend/src/model/',
        pathNot: TESTS,
      },
      to: {
        path: '^plugins/argocd-fleet-backend/src/',
        pathNot: '^plugins/argocd-fleet-backend/src/model/',
      },
    },
    ...Object.entries(PACKAGE_IMPORTS).map(packageRule),
    ...Object.entries(FLOORS).flatMap(([name, rooms]) =>
      floorRules(name, rooms),
    ),
  ],
  options: {
    // Imports of types count as well.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    includeOnly: { path: '^(packages|plugins|e2e-tests|bench)/' },
    exclude: { path: '(^|/)(node_modules|dist|dist-types|coverage)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
