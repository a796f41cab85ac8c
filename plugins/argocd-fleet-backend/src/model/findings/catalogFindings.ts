import { defineFinding, type FindingsOfRange } from './defineFinding';

/** 44x: the portal's catalog. */
export const catalogFindings = {
  /** @param applicationSets - how many resources of the catalog it owns */
  ownerMissing: defineFinding(
    'AFC-441',
    'warning',
    (owner: string, applicationSets: number) => ({
      title: `Owner ${owner} is not in the catalog`,
      message: `${applicationSets === 1 ? 'One ApplicationSet has' : `${applicationSets} ApplicationSets have`} the owner ${owner}, which the catalog does not have: nobody is shown as responsible.`,
      fix: {
        description:
          'Set catalog.providers.argocdFleet.defaultOwner in app-config.yaml to a group or user of the catalog; where the ApplicationSet names its owner in the annotation argocd-fleet/component-owner, correct that; or add this group or user to the catalog.',
      },
    }),
  ),
} satisfies FindingsOfRange<'44'>;
