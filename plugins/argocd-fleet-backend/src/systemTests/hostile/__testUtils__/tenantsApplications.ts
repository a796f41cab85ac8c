/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { pullApplication } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import type { ApplicationChange } from '../../faults/__testUtils__/hostileApplications';
import { expectAccepted } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath, pathOf } from './paths';
import { TENANT, TENANTS_CLUSTER } from './places';
import type { Stage } from './stage';

/** Path of the tenant's Applications on the hub. */
export const APPLICATIONS = hubPath('applications', { namespace: TENANT });

/** An Application of the tenant for its own cluster. */
export function hostile(name: string, change: ApplicationChange = it => it) {
  return change(pullApplication(name, TENANTS_CLUSTER, { namespace: TENANT }));
}

/**
 * The tenant creates an Application; it is removed after the attack.
 * @param text - its JSON
 */
export async function create(
  stage: Stage,
  application: ArgoApplication,
  text: string = JSON.stringify(application),
): Promise<void> {
  const { accounts, afterwards } = stage;
  const answer = await accounts.tenant.send('POST', APPLICATIONS, text);
  expectAccepted(answer);
  const path = pathOf('applications', application);
  afterwards(async () => {
    await accounts.tenant.send('PATCH', path, {
      metadata: { finalizers: null },
    });
    await accounts.tenant.send('DELETE', path);
    await waitFor(async () => !(await stage.workOf(application.metadata.name)));
  });
}

/** An Application that must not be delivered, for the reason of the finding. */
export function refused(
  kind: string,
  title: string,
  code: string | undefined,
  change: ApplicationChange,
  name = 'hostile',
): HostileCase {
  return {
    attacker: 'tenant',
    kind,
    title,
    async attack(stage) {
      await create(stage, hostile(name, change));
      if (code) {
        await stage.untilFinding(code, name);
      }
    },
    async afterwards(stage) {
      expect(await stage.workOf(name)).toBeUndefined();
    },
  };
}
