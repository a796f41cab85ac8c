// Loaded before what compiles TypeScript: nothing that is killed here has ES modules of its own to compile, and asking about each of
// those that it depends on is a third of what its start costs.
require('node:module').register = () => {};
