// Rules of dependency-cruiser for the floors of docs/architecture.md. `npm test` checks them.
//
// A room is a folder. It imports only rooms on lower floors, and from those only their `index.ts`. Tests are exempt.

/** The backend's floors, the highest first. A room may import every lower floor, but no other room on its own floor. */
const BACKEND_FLOORS = [
  ['.'],
  ['config', 'telemetry', 'api'],
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
  ['model/status'],
  ['model/manifestwork'],
  ['model/findings'],
  ['model/feedback'],
  ['model/delivery'],
  ['model/json'],
  ['kubernetes/informer'],
  ['kubernetes/client'],
  ['async'],
];

const TESTS = '\\.test\\.|/__testUtils__/|/systemTests/';

/** A pattern for the files directly in these rooms, not in their subfolders; `.` is the source folder itself. */
function filesOf(source, rooms) {
  return rooms.includes('.')
    ? `^${source}/[^/]+$`
    : `^${source}/(${rooms.join('|')})/[^/]+$`;
}

function floorRules(source, floors) {
  return floors.flatMap((floor, index) => {
    const allowed = floors.slice(index + 1).flat();
    return floor.map(room => ({
      name: `floor-of-${room}`,
      severity: 'error',
      comment: `${source}/${room} may import only the index.ts of: ${allowed.join(', ') || 'no other room'}.`,
      from: { path: filesOf(source, [room]), pathNot: TESTS },
      to: {
        path: `^${source}/`,
        pathNot: [
          filesOf(source, [room]),
          ...(allowed.length > 0
            ? [`^${source}/(${allowed.join('|')})/index\\.ts$`]
            : []),
        ],
      },
    }));
  });
}

/** Reports files in folders that are not on the list of floors; a new folder must be added there. */
function noRoomWithoutFloor(source, floors) {
  return {
    name: 'room-without-floor',
    severity: 'error',
    comment: 'Add the folder to a floor in .dependency-cruiser.cjs.',
    from: {
      path: `^${source}/`,
      pathNot: [
        TESTS,
        filesOf(source, ['.']),
        filesOf(
          source,
          floors.flat().filter(room => room !== '.'),
        ),
      ],
    },
    to: {},
  };
}

const BACKEND = 'plugins/argocd-fleet-backend/src';

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment:
        'Files that import each other, directly or through others, cannot be read one after the other.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-tests-in-production',
      severity: 'error',
      from: { path: '^(plugins|packages)/[^/]+/src/', pathNot: TESTS },
      to: { path: TESTS },
    },
    ...floorRules(BACKEND, BACKEND_FLOORS),
    noRoomWithoutFloor(BACKEND, BACKEND_FLOORS),
  ],
  options: {
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
