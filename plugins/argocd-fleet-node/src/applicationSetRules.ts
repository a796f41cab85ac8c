import {
  createConditionExports,
  createPermissionResourceRef,
  createPermissionRule,
} from '@backstage/plugin-permission-node';
import { RESOURCE_TYPE_APPLICATION_SET } from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import type { ApplicationSetFacts, FactCondition } from './accessFacts';
import { hasLabel, isTrue, labelParams, namesParams } from './factConditions';
import { normalizeOwner } from './ownerRef';

/** The resource type of ApplicationSets, for rules of other modules. @public */
export const argocdFleetApplicationSetResourceRef = createPermissionResourceRef<
  ApplicationSetFacts,
  FactCondition<ApplicationSetFacts>
>().with({
  pluginId: 'argocd-fleet',
  resourceType: RESOURCE_TYPE_APPLICATION_SET,
});

function ownedBy(claims: readonly string[]) {
  const claimed = claims.map(normalizeOwner);
  const owners = new Set(claimed.filter(owner => owner !== undefined));
  return ({ owners: known }: ApplicationSetFacts) => {
    if (known?.some(owner => owners.has(owner))) {
      return true;
    }
    // Of a claim that cannot be read, nobody knows whom it means.
    const isKnown = known !== undefined && !claimed.includes(undefined);
    return claimed.length === 0 || isKnown ? false : undefined;
  };
}

const isOwner = createPermissionRule({
  resourceRef: argocdFleetApplicationSetResourceRef,
  name: 'IS_OWNER',
  description: 'Allow ApplicationSets that one of these entities owns',
  paramsSchema: z.object({
    claims: z
      .array(z.string())
      .describe(
        "Entity references, as in the user's ownershipEntityRefs: group:default/team-a",
      ),
  }),
  apply: (facts, { claims }) => isTrue(ownedBy(claims)(facts)),
  toQuery: ({ claims }) => ownedBy(claims),
});

const onHub =
  (hubs: readonly string[]) =>
  ({ ref }: ApplicationSetFacts) =>
    hubs.includes(ref.hub);

const hasHub = createPermissionRule({
  resourceRef: argocdFleetApplicationSetResourceRef,
  name: 'HAS_HUB',
  description: 'Allow ApplicationSets of these hubs',
  paramsSchema: namesParams('hubs', 'Names of hubs, as in argocdFleet.hubs'),
  apply: (facts, { hubs }) => onHub(hubs)(facts),
  toQuery: ({ hubs }) => onHub(hubs),
});

const inNamespace =
  (namespaces: readonly string[]) =>
  ({ ref }: ApplicationSetFacts) =>
    namespaces.includes(ref.namespace);

const hasNamespace = createPermissionRule({
  resourceRef: argocdFleetApplicationSetResourceRef,
  name: 'HAS_NAMESPACE',
  description: 'Allow ApplicationSets in these namespaces of their hub',
  paramsSchema: namesParams('namespaces', 'Names of namespaces on the hub'),
  apply: (facts, { namespaces }) => inNamespace(namespaces)(facts),
  toQuery: ({ namespaces }) => inNamespace(namespaces),
});

const hasLabelRule = createPermissionRule({
  resourceRef: argocdFleetApplicationSetResourceRef,
  name: 'HAS_LABEL',
  description: 'Allow ApplicationSets with this label on the hub',
  paramsSchema: labelParams,
  apply: (facts, label) => isTrue(hasLabel(label)(facts)),
  toQuery: hasLabel,
});

/** The rules on ApplicationSets. @public */
export const argocdFleetApplicationSetRules = {
  isOwner,
  hasHub,
  hasNamespace,
  hasLabel: hasLabelRule,
};

const conditionExports = createConditionExports({
  resourceRef: argocdFleetApplicationSetResourceRef,
  rules: argocdFleetApplicationSetRules,
});

/** Conditions on ApplicationSets, for a permission policy. @public */
export const argocdFleetApplicationSetConditions = conditionExports.conditions;

/** A policy's decision on a permission on ApplicationSets, by conditions. @public */
export const createArgocdFleetApplicationSetConditionalDecision =
  conditionExports.createConditionalDecision;
