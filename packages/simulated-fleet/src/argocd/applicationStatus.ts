/** The status of an Application at each point of its life. */
export {
  obstructed,
  outOfSync,
  settled,
  withLiveHealth,
} from './comparisonStatus';
export {
  retriesLeft,
  retrying,
  synced,
  syncFailed,
  syncing,
  terminated,
  unresolvable,
} from './operationStatus';
