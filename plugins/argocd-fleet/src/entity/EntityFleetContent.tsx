import { useEntity } from '@backstage/plugin-catalog-react';
import { useEntityFleet } from '../live/queries';
import { RequestNotice } from '../notice/RequestNotice';
import { FleetSection } from '../section/FleetSection';
import { SectionSkeleton } from '../section/SectionSkeleton';
import { entityNameOf } from './entityName';
import { LinkNotice } from './LinkNotice';
import { resolveLinks, type ResolvedLink } from './linkStates';
import { SectionTabs } from './SectionTabs';
import { AnnotationProblemNotice, UnlinkedNotice } from './UnlinkedNotice';

/** More sections than this are a long way to scroll: they become tabs. */
const SECTIONS_AT_ONCE = 3;

function keyOf({ link: { ref } }: ResolvedLink): string {
  return `${ref.hub}:${ref.namespace}/${ref.name}`;
}

/** The entity page's "Fleet" tab: is it running, everywhere, at the version that was merged, and if not, why not. */
export function EntityFleetContent() {
  const { entity } = useEntity();
  const entityName = entityNameOf(entity);
  const live = useEntityFleet(entityName);
  const { data, error } = live;

  if (!data) {
    return error ? <RequestNotice error={error} /> : <SectionSkeleton />;
  }

  const links = resolveLinks(data);
  const section = (resolved: ResolvedLink) =>
    resolved.state === 'found' ? (
      <FleetSection
        key={keyOf(resolved)}
        set={resolved.set}
        live={live}
        via={resolved.link.via}
        urlPrefix={links.length > 1 ? `${resolved.link.ref.name}.` : ''}
      />
    ) : (
      <LinkNotice key={keyOf(resolved)} resolved={resolved} hubs={data.hubs} />
    );

  return (
    <>
      {data.problem && (
        <AnnotationProblemNotice
          problem={data.problem}
          entityName={entityName.name}
        />
      )}
      {links.length === 0 && !data.problem && (
        <UnlinkedNotice entityName={entityName.name} />
      )}
      {links.length > SECTIONS_AT_ONCE ? (
        <SectionTabs
          tabs={links.map(resolved => ({
            key: keyOf(resolved),
            label: resolved.link.ref.name,
            content: () => section(resolved),
          }))}
        />
      ) : (
        links.map(section)
      )}
    </>
  );
}
