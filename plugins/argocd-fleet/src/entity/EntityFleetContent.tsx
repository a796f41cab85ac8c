import { useEntity } from '@backstage/plugin-catalog-react';
import type { EntityFleet } from 'backstage-plugin-argocd-fleet-common';
import { useEntityFleet } from '../live/queries';
import { RequestNotice } from '../notice/RequestNotice';
import { refKey } from '../objectRef';
import { SectionSkeleton } from '../section/SectionSkeleton';
import { ApplicationSetSection } from './ApplicationSetSection';
import { entityNameOf } from './entityName';
import { LinkNotice } from './LinkNotice';
import { resolveLinks, type ResolvedLink } from './linkStates';
import { SectionList } from './SectionList';
import { SectionTabs } from './SectionTabs';
import { LinkMark } from './LinkMark';
import { useTroubleFirst } from './troubleFirst';
import {
  AnnotationProblemNotice,
  ExistingSetsNotice,
  UnlinkedNotice,
} from './UnlinkedNotice';

/** More sections than this become tabs, because the page would be too long. */
const SECTIONS_AT_ONCE = 3;

/** A section for each link; each loads its own rows, those of hidden tabs none. */
function LinkedSets(props: { readonly fleet: EntityFleet }) {
  const { fleet } = props;
  const links = useTroubleFirst(resolveLinks(fleet));
  const section = (resolved: ResolvedLink) => {
    const { ref, via } = resolved.link;
    return resolved.state === 'found' ? (
      <ApplicationSetSection
        key={refKey(ref)}
        applicationSet={ref}
        via={via}
        showVia={resolved.link.way !== 'annotation'}
        urlPrefix={links.length > 1 ? `${ref.name}.` : ''}
      />
    ) : (
      <LinkNotice key={refKey(ref)} resolved={resolved} hubs={fleet.hubs} />
    );
  };
  const sections = links.map(resolved => ({
    key: refKey(resolved.link.ref),
    label: resolved.link.ref.name,
    mark: <LinkMark resolved={resolved} />,
    content: () => section(resolved),
  }));
  return links.length > SECTIONS_AT_ONCE ? (
    <SectionTabs tabs={sections} />
  ) : (
    <SectionList sections={sections} />
  );
}

/** The entity page's "Fleet" tab: where the entity's applications run, in which state, and what is wrong. */
export function EntityFleetContent() {
  const { entity } = useEntity();
  const entityName = entityNameOf(entity);
  const { data, error } = useEntityFleet(entityName);

  if (!data) {
    return error ? <RequestNotice error={error} /> : <SectionSkeleton />;
  }
  const { nearMatches = [] } = data;
  const isUnlinked = data.links.length === 0 && !data.problem;
  return (
    <>
      {data.problem && <AnnotationProblemNotice problem={data.problem} />}
      {isUnlinked && <UnlinkedNotice fleet={data} />}
      <LinkedSets key={data.entityRef} fleet={data} />
      {!isUnlinked && nearMatches.length > 0 && (
        <ExistingSetsNotice matches={nearMatches} />
      )}
    </>
  );
}
