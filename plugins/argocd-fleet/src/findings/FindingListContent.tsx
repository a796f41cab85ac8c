import { Link } from '@backstage/core-components';
import { useRouteRef } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { findingRouteRef, rootRouteRef } from '../routes';
import { FINDING_SECTIONS } from './catalogue.generated';
import {
  DocumentedText,
  SeverityLabel,
  useFindingStyles,
} from './FindingTexts';

/** The page with the codes of all findings. */
export function FindingListContent() {
  const classes = useFindingStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const fleetLink = useRouteRef(rootRouteRef);
  const findingLink = useRouteRef(findingRouteRef);
  return (
    <>
      <Link to={fleetLink()}>← {t('list.back')}</Link>
      <h2 className={classes.heading}>{t('finding.list')}</h2>
      <p className={classes.text}>{t('finding.about')}</p>
      {FINDING_SECTIONS.map(({ title, findings }) => (
        <section key={title} aria-label={title}>
          <h3 className={classes.section}>{title}</h3>
          <ul className={classes.list}>
            {findings.map(finding => (
              <li key={finding.code} className={classes.item}>
                <Link
                  to={findingLink({ code: finding.code })}
                  className={classes.title}
                >
                  {finding.code}: <DocumentedText text={finding.title} />
                </Link>
                <SeverityLabel severity={finding.severity} />
                <div>
                  <DocumentedText text={finding.cause} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
