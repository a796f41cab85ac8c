import { useEntity } from '@backstage/plugin-catalog-react';
import { useEntityFleet } from '../live/queries';
import { RequestNotice } from '../notice/RequestNotice';
import { refKey } from '../objectRef';
import { FleetSection } from '../section/FleetSection';
import { SectionSkeleton } from '../section/SectionSkeleton';
import { entityNameOf } from './entityName';
import { LinkNotice } from './LinkNotice';
import { resolveLinks, type ResolvedLink } from './linkStates';
import { SectionTabs } from './SectionTabs';
import { AnnotationProblemNotice, UnlinkedNotice } from './UnlinkedNotice';

/** More sections than this become tabs, because the page would be too long. */
const SECTIONS_AT_ONCE = 3;

/** The entity page's "Fleet" tab: where the entity's applications run, in which state, and what is wrong. */
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
        key={refKey(resolved.link.ref)}
        set={resolved.set}
        live={live}
        via={resolved.link.via}
        urlPrefix={links.length > 1 ? `${resolved.link.ref.name}.` : ''}
      />
    ) : (
      <LinkNotice
        key={refKey(resolved.link.ref)}
        resolved={resolved}
        hubs={data.hubs}
      />
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
            key: refKey(resolved.link.ref),
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
