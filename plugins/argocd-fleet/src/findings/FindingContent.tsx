import { Link } from '@backstage/core-components';
import { useRouteRef, useRouteRefParams } from '@backstage/core-plugin-api';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { findingRouteRef, findingsRouteRef } from '../routes';
import { FINDING_SECTIONS } from './catalogue.generated';
import {
  DocumentedText,
  SeverityLabel,
  useFindingStyles,
} from './FindingTexts';

const SECTIONS = ['cause', 'check', 'fix'] as const;

/** The page of one code: what it means, how to check that, and what to do. */
export function FindingContent() {
  const classes = useFindingStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const listLink = useRouteRef(findingsRouteRef);
  const { code } = useRouteRefParams(findingRouteRef);
  const finding = FINDING_SECTIONS.flatMap(({ findings }) => findings).find(
    each => each.code === code.toUpperCase(),
  );
  return (
    <>
      <Link to={listLink()}>← {t('finding.all')}</Link>
      {!finding && <p>{t('finding.unknown', { code })}</p>}
      {finding && (
        <article>
          <h2 className={classes.heading}>
            {finding.code}: <DocumentedText text={finding.title} />
          </h2>
          <SeverityLabel severity={finding.severity} />
          {SECTIONS.map(section => (
            <section key={section}>
              <h3 className={classes.section}>{t(`finding.${section}`)}</h3>
              <p className={classes.text}>
                <DocumentedText text={finding[section]} />
              </p>
            </section>
          ))}
        </article>
      )}
    </>
  );
}
