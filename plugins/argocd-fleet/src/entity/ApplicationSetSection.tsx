import type { ObjectRef } from 'backstage-plugin-argocd-fleet-common';
import { useApplicationSetRows } from '../live/queries';
import { requestProblemOf } from '../live/requestProblem';
import { RequestNotice } from '../notice/RequestNotice';
import { FleetSection } from '../section/FleetSection';
import { SectionSkeleton } from '../section/SectionSkeleton';
import { LinkNotice } from './LinkNotice';

/** Loads one ApplicationSet and shows it, or why it cannot be shown. */
export function ApplicationSetSection(props: {
  readonly applicationSet: ObjectRef;
  /** Where the page has the ApplicationSet's name from. */
  readonly via: string;
  /** Whether that is shown beside the name: nobody wrote that link. */
  readonly showVia?: boolean;
  /** False where the page's heading already has the name. */
  readonly showName?: boolean;
  /** Keeps several sections of one page apart in the URL. */
  readonly urlPrefix?: string;
}) {
  const { applicationSet: ref, via, showName, urlPrefix } = props;
  const live = useApplicationSetRows(ref);
  const { data, error } = live;
  if (error && requestProblemOf(error) === 'notFound') {
    return (
      <LinkNotice
        resolved={{ state: 'missing', link: { ref, via } }}
        hubs={[]}
      />
    );
  }
  if (!data) {
    return error ? <RequestNotice error={error} /> : <SectionSkeleton />;
  }
  return (
    <FleetSection
      set={data}
      live={live}
      via={via}
      showVia={props.showVia}
      showName={showName}
      urlPrefix={urlPrefix}
    />
  );
}
