import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';

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

  linkOnlyReaders: defineFinding(
    'AFC-442',
    'info',
    (applicationSets: number, details: Details = {}) => ({
      title: `${applicationSets === 1 ? 'One ApplicationSet has' : `${applicationSets} ApplicationSets have`} readers by links only`,
      message: `Entities of the catalog link to ${applicationSets === 1 ? 'an ApplicationSet that records' : 'ApplicationSets that record'} no owner. Where the permission policy lets owners read (IS_OWNER), the owners of these entities may not read ${applicationSets === 1 ? 'it' : 'them'}: whoever may register an entity could read everything that has no owner.`,
      fix: {
        description:
          'Record the owner on each ApplicationSet. To let links count as before, set argocdFleet.permissions.readByLink: true; to leave it as it is without this finding, false.',
        command:
          'kubectl annotate applicationsets.argoproj.io NAME -n NAMESPACE argocd-fleet/component-owner=group:default/OWNER',
      },
      ...details,
    }),
  ),

  /**
   * @param component - the name that the ApplicationSet's annotation gives
   * @param applicationSet - `<namespace>/<name> on hub <hub>`
   */
  componentOfOtherOwner: defineFinding(
    'AFC-444',
    'warning',
    (component: string, applicationSet: string, details: Details = {}) => ({
      title: `Component ${component} is not that of ${applicationSet}`,
      message: `The annotations of the ApplicationSet ${applicationSet} define the component ${component}, which another ApplicationSet with another owner defined first. The component stays as it is, without this ApplicationSet.`,
      fix: {
        description:
          'Give the component another name in the annotation argocd-fleet/component or, if both are the same component, give both the same owner in argocd-fleet/component-owner.',
      },
      ...details,
    }),
  ),

  /**
   * @param component - the name that the ApplicationSet's annotation gives
   * @param applicationSet - `<namespace>/<name> on hub <hub>`
   */
  componentOfOtherLocation: defineFinding(
    'AFC-445',
    'warning',
    (component: string, applicationSet: string, details: Details = {}) => ({
      title: `Component ${component} is not made from ${applicationSet}`,
      message: `The annotations of the ApplicationSet ${applicationSet} define the component ${component}, which the catalog has from a catalog file or another provider. It stays as it is, and is not linked to this ApplicationSet.`,
      fix: {
        description:
          'If it is the same component, name the ApplicationSet in its annotation argocd-fleet/applicationset. Otherwise use another name in the annotation argocd-fleet/component of the ApplicationSet.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'44'>;
