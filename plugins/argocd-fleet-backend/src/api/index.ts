export { createChangeFeed } from './changeFeed';
export { createFleetViews } from './fleetViews';
export { createRouter } from './router';
