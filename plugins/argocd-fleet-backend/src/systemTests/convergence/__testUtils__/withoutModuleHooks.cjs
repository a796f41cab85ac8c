// Preloaded before the TypeScript loader: its hooks for ES modules take a third of the start time, and these processes
// compile no ES modules of their own.
require('node:module').register = () => {};
