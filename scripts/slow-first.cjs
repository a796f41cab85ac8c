// The order of Jest's test files: those that take longest first, so that no worker has one of them left at the end. Jest
// itself only knows the sizes of files before their first run.
const { default: Sequencer } = require('@jest/test-sequencer');

const SLOW = /\/(systemTests|takeover|database|clusterImport|propagation)\//;

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    const slow = ({ path }) => SLOW.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(slow), ...sorted.filter(test => !slow(test))];
  }
};
