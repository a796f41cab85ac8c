import type {
  ApplicationSet,
  Finding,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetFindings } from '../model/findings';

/** What the portal's catalog says of the components that ApplicationSets define; the hubs do not know it. */
export interface ComponentFindings {
  /** Undefined while the catalog says no more than the annotations of the ApplicationSet. */
  of(ref: ObjectRef): readonly Finding[] | undefined;
}

/** Adds what the catalog says of the component, which replaces what the annotations alone say of the namespace. */
export function withComponentFindings<
  View extends Pick<ApplicationSet, 'ref' | 'findings'>,
>(set: View, components: ComponentFindings): View {
  const known = components.of(set.ref);
  return known
    ? {
        ...set,
        findings: [
          ...set.findings.filter(
            ({ code }) =>
              code !== applicationSetFindings.componentNamespace.code,
          ),
          ...known,
        ],
      }
    : set;
}
