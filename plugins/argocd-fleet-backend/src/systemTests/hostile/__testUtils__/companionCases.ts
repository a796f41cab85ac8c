/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { pullApplication } from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import {
  withAppNamespace,
  type ApplicationChange,
} from '../../faults/__testUtils__/hostileApplications';
import { expectAccepted } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath } from './paths';
import { ARGO_CD, TENANT, TENANTS_CLUSTER, VICTIM } from './places';
import type { Stage, StageOptions } from './stage';

const SYSTEM_NAMESPACES = [
  'kube-system',
  'kube-public',
  'openshift',
  'openshift-operators',
];

/** Whatever may come along does, and the tenant may use even namespaces that it should not be allowed. */
export const WITH_COMPANIONS: StageOptions = {
  propagation: {
    includeNamespace: true,
    includeAppProject: true,
    argocdNamespace: ARGO_CD,
    appNamespaces: { [TENANT]: [TENANT, ...SYSTEM_NAMESPACES] },
  },
};

/** An AppProject that allows everything; its description says in whose namespace of the hub it is. */
function appProject(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { namespace, name },
    spec: {
      description: `of ${namespace}`,
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  } as KubernetesObject;
}

/** The tenant creates an object in its namespace of the hub, which is removed after the attack. */
async function create(
  { accounts: { tenant }, afterwards }: Stage,
  resource: 'applications' | 'appProjects',
  object: KubernetesObject,
) {
  const path = hubPath(resource, { namespace: TENANT });
  expectAccepted(await tenant.send('POST', path, object));
  afterwards(() => tenant.send('DELETE', `${path}/${object.metadata.name}`));
}

/** What comes along with the Application in its work. */
function companions({ spec }: ManifestWork): readonly KubernetesObject[] {
  return (spec.workload?.manifests ?? []).filter(
    ({ kind }) => kind !== 'Application',
  );
}

/**
 * An Application that is delivered to the tenant's own cluster.
 * @param options.code - of the finding that says what does not come along
 * @param options.prepare - creates what it refers to
 * @param options.along - what comes along: kind, namespace, name and, of an AppProject, in whose namespace it is
 */
function delivered(
  title: string,
  change: ApplicationChange,
  {
    code,
    along,
    prepare = async () => {},
  }: {
    readonly code?: string;
    readonly along: readonly string[];
    readonly prepare?: (stage: Stage) => Promise<void>;
  },
): HostileCase {
  return {
    attacker: 'tenant',
    kind: 'companions',
    title,
    async attack(stage) {
      await prepare(stage);
      stage.afterwards(() =>
        waitFor(async () => !(await stage.workOf('hostile'))),
      );
      await create(
        stage,
        'applications',
        change(
          pullApplication('hostile', TENANTS_CLUSTER, { namespace: TENANT }),
        ),
      );
      await waitFor(() => stage.workOf('hostile'));
      if (code) {
        await stage.untilFinding(code, 'hostile');
      }
    },
    async afterwards(stage) {
      const work = await stage.workOf('hostile');
      expect(companions(work!).map(described)).toEqual(along);
    },
  };
}

function described({ kind, metadata, ...object }: KubernetesObject): string {
  const { spec } = object as { readonly spec?: { description?: string } };
  return [kind, metadata.namespace, metadata.name, spec?.description]
    .filter(Boolean)
    .join(' ');
}

const withProject =
  (project: string): ApplicationChange =>
  it => ({ ...it, spec: { ...it.spec, project } });

const OWN_NAMESPACE = `Namespace ${TENANT}`;

/** Attacks by what propagation delivers besides an Application, for a stage with {@link WITH_COMPANIONS}. */
export const COMPANION_CASES: readonly HostileCase[] = [
  delivered(
    'its own namespace comes along, so that what does not has another reason',
    it => it,
    { along: [OWN_NAMESPACE] },
  ),
  ...SYSTEM_NAMESPACES.map(namespace =>
    delivered(
      `brings along the namespace ${namespace}`,
      withAppNamespace(namespace),
      { code: 'AFC-114', along: [] },
    ),
  ),
  {
    attacker: 'tenant',
    kind: 'companions',
    title: 'brings along the namespace of the victim',
    async attack(stage) {
      stage.afterwards(() =>
        waitFor(async () => !(await stage.workOf('hostile'))),
      );
      await create(
        stage,
        'applications',
        withAppNamespace(VICTIM)(
          pullApplication('hostile', TENANTS_CLUSTER, { namespace: TENANT }),
        ),
      );
      await stage.untilFinding('AFC-113', 'hostile');
    },
    async afterwards(stage) {
      expect(await stage.workOf('hostile')).toBeUndefined();
    },
  },
  delivered(
    'brings along an AppProject of its own namespace',
    withProject('hostile'),
    {
      code: 'AFC-112',
      along: [OWN_NAMESPACE],
      prepare: stage =>
        create(stage, 'appProjects', appProject(TENANT, 'hostile')),
    },
  ),
  delivered(
    'brings along its own AppProject in place of one of Argo CD',
    withProject('team'),
    {
      along: [OWN_NAMESPACE, `AppProject ${ARGO_CD} team of ${ARGO_CD}`],
      async prepare(stage) {
        const { admin } = stage.testHub;
        const project = appProject(ARGO_CD, 'team');
        await admin.create('appProjects', project);
        stage.afterwards(() => admin.delete('appProjects', project.metadata));
        await create(stage, 'appProjects', appProject(TENANT, 'team'));
      },
    },
  ),
  delivered('brings along its own AppProject default', withProject('default'), {
    along: [OWN_NAMESPACE],
    prepare: stage =>
      create(stage, 'appProjects', appProject(TENANT, 'default')),
  }),
];
