import {
  coreServices,
  createBackendFeatureLoader,
} from '@backstage/backend-plugin-api';
import { assertAddedOnce, checkInstallation } from './installation';
import { createArgocdFleetPlugin } from './plugin';

/**
 * The backend plugin of Argo CD Fleet, for `backend.add`. It runs the caches of the configured hubs, schedules the
 * controllers of the pull model as tasks, and serves the HTTP API.
 *
 * A broken installation ends the start of the backend with one line that says what to do. Therefore it is a loader: an
 * error of a plugin itself leaves a process that answers 503, and of a plugin that is added twice Backstage says only
 * that an extension point exists.
 * @public
 */
export const argocdFleetPlugin = createBackendFeatureLoader({
  deps: { config: coreServices.rootConfig },
  *loader({ config }) {
    checkInstallation();
    assertAddedOnce(config);
    yield createArgocdFleetPlugin();
  },
});
