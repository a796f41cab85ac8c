import { InfoCard } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { useEntity } from '@backstage/plugin-catalog-react';
import { makeStyles } from '@material-ui/core/styles';
import Skeleton from '@material-ui/lab/Skeleton';
import type { EntityFleet } from 'backstage-plugin-argocd-fleet-common';
import { useEntityFleet } from '../live/queries';
import { argocdFleetTranslationRef } from '../messages';
import { NOTICE_KINDS } from '../notice/Notice';
import { requestProblemOf, serverMessageOf } from '../live/requestProblem';
import { refKey } from '../objectRef';
import { fleetTabRouteRef } from '../routes';
import { fleetPalette } from '../status/palette';
import { ShapedText } from '../status/StatusLabel';
import { LiveMark } from '../live/LiveMark';
import { CardSet } from './CardSet';
import { entityNameOf } from './entityName';
import { resolveLinks, type ResolvedLink } from './linkStates';
import { useTroubleFirst } from './troubleFirst';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      // The link below the content is as wide as the card, which would cut off its focus mark.
      frame: {
        '& > div > a': { display: 'block', width: 'fit-content' },
        '& > div > a:focus-visible': { outlineOffset: -3 },
      },
      card: { fontSize: 14 },
      detail: {
        color: palette.dim,
        margin: '4px 0 0 22px',
        overflowWrap: 'anywhere',
      },
      live: { fontSize: 12.5, marginTop: 14 },
    };
  },
  { name: 'ArgocdFleetCard' },
);

/** A notice of one line, and one line of detail. */
function ShortNotice(props: {
  readonly kind: keyof typeof NOTICE_KINDS;
  readonly text: string;
  readonly detail?: string;
}) {
  const classes = useStyles();
  return (
    <div role="status">
      <ShapedText of={NOTICE_KINDS[props.kind]}>{props.text}</ShapedText>
      {props.detail && <div className={classes.detail}>{props.detail}</div>}
    </div>
  );
}

function CardLink(props: {
  readonly resolved: ResolvedLink;
  readonly compact: boolean;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { resolved } = props;
  const { ref } = resolved.link;
  switch (resolved.state) {
    case 'found':
      return (
        <CardSet
          set={resolved.set}
          link={resolved.link}
          hub={resolved.hub}
          compact={props.compact}
        />
      );
    case 'hubUnavailable':
      return resolved.hub.state === 'starting' ? (
        <ShortNotice
          kind="waiting"
          text={t('notices.hubStarting.short', { hub: ref.hub })}
        />
      ) : (
        <ShortNotice
          kind="problem"
          text={t('notices.hubUnreachable.short', { hub: ref.hub })}
          detail={resolved.hub.message}
        />
      );
    case 'hubUnknown':
      return (
        <ShortNotice
          kind="warning"
          text={t('notices.hubUnknown.short', { hub: ref.hub })}
        />
      );
    default:
      return (
        <ShortNotice
          kind="warning"
          text={t('notices.missing.short', {
            set: `${ref.namespace}/${ref.name}`,
            hub: ref.hub,
          })}
        />
      );
  }
}

/** So many sets are shown with their bars; of more, five still fit on a screen. */
const MAX_WITH_BARS = 2;

function CardBody(props: { readonly fleet: EntityFleet }) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { problem } = props.fleet;
  const links = useTroubleFirst(resolveLinks(props.fleet));
  return (
    <>
      {problem && (
        <ShortNotice
          kind="warning"
          text={t('notices.problem.title')}
          detail={problem}
        />
      )}
      {links.length === 0 && !problem && (
        <ShortNotice kind="hint" text={t('notices.noAnnotation.short')} />
      )}
      {links.map(resolved => (
        <CardLink
          key={refKey(resolved.link.ref)}
          resolved={resolved}
          compact={links.length > MAX_WITH_BARS}
        />
      ))}
    </>
  );
}

/** The overview card: sync, health and the worst message of each ApplicationSet, with a link to the tab. */
export function EntityFleetCard() {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { entity } = useEntity();
  const live = useEntityFleet(entityNameOf(entity));
  const tabLink = useRouteRef(fleetTabRouteRef)?.();
  const { data, error } = live;
  const problem = error && requestProblemOf(error);
  return (
    <InfoCard
      className={classes.frame}
      title={t('card.title')}
      deepLink={tabLink ? { title: t('card.open'), link: tabLink } : undefined}
    >
      <div className={classes.card}>
        {!data && !error && (
          <div role="status" aria-busy="true" aria-label={t('notices.loading')}>
            <Skeleton height={24} />
            <Skeleton height={24} />
          </div>
        )}
        {!data && problem && (
          <ShortNotice
            kind="warning"
            text={t(`notices.${problem}.short`)}
            detail={problem === 'notFound' ? serverMessageOf(error) : undefined}
          />
        )}
        {data && <CardBody key={data.entityRef} fleet={data} />}
        <div className={classes.live}>
          <LiveMark live={live} hubs={data?.hubs} />
        </div>
      </div>
    </InfoCard>
  );
}
