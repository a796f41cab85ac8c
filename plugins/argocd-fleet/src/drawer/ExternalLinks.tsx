import { Link } from '@backstage/core-components';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';

/** Only http and https: the URLs come from clusters, and a `javascript:` URL would run in the portal. */
function isWebUrl(url: string): boolean {
  return (
    URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)
  );
}

/** Links to the Application's external URLs; only web URLs are shown. */
export function ExternalLinks(props: {
  readonly urls: readonly string[] | undefined;
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const urls = (props.urls ?? []).filter(isWebUrl);
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
