const config = require('@backstage/cli/config/eslint-factory')(__dirname, {
  rules: {
    // The tests start the very services that `npm start` does, and those must run before anything is installed: no package.
    '@backstage/no-relative-monorepo-imports': 'off',
    // Nothing here is ever built: a file's own folder stays its own.
    'no-restricted-syntax': 'off',
  },
});

module.exports = config;
