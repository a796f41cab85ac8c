import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedHub } from 'embedded-hub';
import { waitFor } from '../../__testUtils__/waitFor';
import { startPropagation } from './__testUtils__/propagationUnderTest';
import { createFleetOnHub } from './__testUtils__/fleetOnHub';

describe('a run whose window has expired', () => {
  afterEach(() => jest.restoreAllMocks());

  it('writes nothing before any timer has fired, as in a process that was suspended and resumes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-late-'));
    const kubeconfigPath = join(folder, 'kubeconfig');
    const hub = await startEmbeddedHub({ kubeconfigPath });
    const propagation = startPropagation(kubeconfigPath);
    const writes = () =>
      hub.requests.filter(
        ({ userAgent, method }) =>
          userAgent === 'argocd-fleet' && method !== 'GET',
      ).length;
    try {
      const fleet = createFleetOnHub(hub);
      await fleet.prepare();
      const apply = (app: number) =>
        fleet.apply({ type: 'apply', app, cluster: 'one', finalizer: false });
      await apply(0);
      await waitFor(() => propagation.writes === 1);

      const now = Date.now;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
      await apply(1);
      await waitFor(() => propagation.hasCached('tenant-a/mail'));
      await propagation.quiet();
      expect(writes()).toBe(1);

      jest.restoreAllMocks();
      await waitFor(() => propagation.writes === 2);
    } finally {
      await propagation.stop();
      await hub.stop();
      await rm(folder, { recursive: true });
    }
  });
});
