// The entry point of every `npm` command of this repository. It runs on any Node before anything is installed: it finds
// a supported Node, installs missing packages, and runs the command.
import './stop-with-parent.cjs';
import { parseArgs } from 'node:util';
import { continueOnSupportedNode } from './node.mjs';
import { fail } from './output.mjs';
import { install } from './install.mjs';

const USAGE = {
  start:
    'npm start [-- --port N --hub embedded|real --hub-port N --git-port N --scenario FILE --speed N]',
  backend: 'npm run start:backend [-- --port N --mode manage|observe|off]',
  hub: 'npm run hub [-- --port N --kubeconfig FILE --scenario FILE --speed N]',
  fleet: 'npm run fleet -- --kubeconfig FILE [--scenario FILE --speed N]',
  test: 'npm test [-- --only checks|unit|packages|browser --changed [REF] --no-install]',
  'test-long': 'npm run test:long [-- --no-install]',
  'test-real-hub': 'npm run test:real-hub [-- --no-install]',
  'api-reports': 'npm run build:api-reports',
  'test-install': 'npm run test:install [-- --all --keep --no-install]',
  pack: 'npm run pack',
  'release-contents': 'npm run release:contents',
  'release-publish': 'npm run release:publish',
  'release-sizes': 'npm run release:sizes',
  bench:
    'npm run bench -- controllers [--hub embedded|real --applications N --sizes N,N,N --seed N]\n  npm run bench -- status [--clusters N --application-sets N --seed N]\n  npm run bench -- whole [--parts PART,PART --applications N --clusters N --seconds N --seed N]\n  npm run bench -- api [--clusters N --application-sets N]\n  npm run bench -- model',
};

const OPTIONS = {
  start: ['port', 'hub', 'hub-port', 'git-port', 'scenario', 'speed'],
  backend: ['port', 'mode'],
  hub: ['port', 'kubeconfig', 'scenario', 'speed'],
  fleet: ['kubeconfig', 'scenario', 'speed'],
  test: ['only', 'changed', 'no-install'],
  'test-long': ['no-install'],
  'test-real-hub': ['no-install'],
  'api-reports': [],
  'test-install': ['all', 'keep', 'no-install'],
  pack: [],
  'release-contents': [],
  'release-publish': [],
  'release-sizes': [],
  bench: [
    'clusters',
    'application-sets',
    'seconds',
    'hub',
    'applications',
    'sizes',
    'parts',
    'seed',
  ],
};

/** Options without a value. */
const FLAGS = ['all', 'changed', 'keep', 'no-install'];

function readOptions(command, args) {
  try {
    return parseArgs({
      args,
      allowPositionals: command === 'bench' || command === 'test',
      options: Object.fromEntries(
        OPTIONS[command].map(name => [
          name,
          { type: FLAGS.includes(name) ? 'boolean' : 'string' },
        ]),
      ),
    });
  } catch (error) {
    return fail(`${error.message}\nUsage: ${USAGE[command]}`);
  }
}

const [command, ...args] = process.argv.slice(2);
if (!(command in USAGE)) {
  fail(`Unknown command. Usage:\n  ${Object.values(USAGE).join('\n  ')}`);
}
const { values: options, positionals } = readOptions(command, args);
const CHOICES = {
  hub: ['embedded', 'real'],
  mode: ['manage', 'observe', 'off'],
};
for (const [name, choices] of Object.entries(CHOICES)) {
  if (options[name] !== undefined && !choices.includes(options[name])) {
    fail(`--${name} takes ${choices.join(' or ')}, not "${options[name]}"`);
  }
}
for (const name of ['port', 'hub-port', 'git-port']) {
  const value = options[name];
  if (value !== undefined && !(/^[1-9]\d*$/.test(value) && value < 65536)) {
    fail(`--${name} takes a port number from 1 to 65535, not "${value}"`);
  }
}

if (await continueOnSupportedNode(import.meta.filename)) {
  await install();
  const { run } = await import(`./${command}.mjs`);
  await run(options, positionals);
}
