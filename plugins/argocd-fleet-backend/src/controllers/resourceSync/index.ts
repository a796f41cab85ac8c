// Records the state of each Application, of all delivery models, and each transition in the plugin's database. Key: a
// hub Application. It writes nothing to the hub.

export { createResourceSync, type StatusStage } from './resourceSync';
