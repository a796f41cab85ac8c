/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import {
  RHACM_INTEGRATIONS,
  type Deployment,
} from 'backstage-plugin-argocd-fleet-common';
import { pullApplication } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { expectAccepted } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath, pathOf } from './paths';
import { TENANT, TENANTS_CLUSTER } from './places';

const DECOY = { namespace: TENANT, name: RHACM_INTEGRATIONS };

/** As Kubernetes accepts it: what it runs does not matter, and its size is nearly all that etcd stores. */
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...DECOY, annotations: { long: 'x'.repeat(200_000) } },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: {
      metadata: { labels: { app: 'x' } },
      spec: { containers: [{ name: 'x', image: 'x' }] },
    },
  },
} as Deployment;

/** Objects that look as if they were those of a controller that we give way to. */
export const DECOY_CASES: readonly HostileCase[] = [
  {
    attacker: 'tenant',
    kind: 'decoy',
    title: 'a running Deployment with the name of RHACM’s controller',
    decidedByHub: true,
    async attack(stage) {
      const { accounts, afterwards } = stage;
      const path = hubPath('rhacmDeployments', DECOY);
      expectAccepted(
        await accounts.tenant.send(
          'POST',
          hubPath('rhacmDeployments', { namespace: TENANT }),
          deployment,
        ),
      );
      afterwards(() => accounts.tenant.send('DELETE', path));
      expectAccepted(
        await accounts.tenant.send('PATCH', `${path}/status`, {
          status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 },
        }),
      );
      const { severity } = await stage.untilFinding('AFC-130', DECOY.name);
      expect(severity).toBe('warning');

      // Propagation goes on for everybody.
      const application = pullApplication('after-decoy', TENANTS_CLUSTER, {
        namespace: TENANT,
      });
      expectAccepted(
        await accounts.tenant.send(
          'POST',
          hubPath('applications', { namespace: TENANT }),
          application,
        ),
      );
      afterwards(() =>
        accounts.tenant.send('DELETE', pathOf('applications', application)),
      );
      await waitFor(() => stage.workOf('after-decoy'));
    },
    async afterwards(stage) {
      const codes = (await stage.findings()).map(({ code }) => code);
      expect(codes).not.toContain('AFC-405');
      expect(codes).not.toContain('AFC-408');
    },
  },
];
