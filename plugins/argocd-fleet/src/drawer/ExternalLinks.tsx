import { Link } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';

/** Only what a browser shows: the addresses come from clusters, and a `javascript:` one would run here. */
function isWebAddress(url: string): boolean {
  return (
    URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  );
}

/** Where the Application can be reached, as links; what is no web address is left out. */
export function ExternalLinks(props: {
  readonly urls: readonly string[] | undefined;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const urls = (props.urls ?? []).filter(isWebAddress);
  if (urls.length === 0) {
    return null;
  }
  return (
    <div>
      {t('drawer.links')}{' '}
      {urls.map((url, index) => (
        <span key={url}>
          {index > 0 && ' · '}
          <Link to={url}>
            {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          </Link>
        </span>
      ))}
    </div>
  );
}
