import { makeStyles } from '@material-ui/core/styles';
import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { argocdFleetTranslationRef } from '../messages';
import { SEVERITY_PRESENTATION } from '../status/presentation';
import { ShapedText } from '../status/StatusLabel';
import type { DocumentedFinding } from './catalogue.generated';

/** Styles of the pages about findings. */
export const useFindingStyles = makeStyles(
  theme => ({
    heading: {
      fontSize: 22,
      fontWeight: 500,
      lineHeight: 1.3,
      margin: '10px 0 8px',
      overflowWrap: 'anywhere',
    },
    section: { fontSize: 16, fontWeight: 500, margin: '24px 0 8px' },
    text: { maxWidth: 720, lineHeight: 1.5, margin: '0 0 8px' },
    list: { listStyle: 'none', margin: 0, padding: 0 },
    item: {
      borderTop: `1px solid ${theme.palette.divider}`,
      padding: '8px 0',
      maxWidth: 860,
    },
    title: { fontWeight: 500, marginRight: 8 },
  }),
  { name: 'ArgocdFleetFindings' },
);

/** A text of the documentation: what is in backticks is code. */
export function DocumentedText(props: { readonly text: string }) {
  return (
    <>
      {props.text
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{part}</code> : part,
        )}
    </>
  );
}

export function SeverityLabel(props: {
  readonly severity: DocumentedFinding['severity'];
}) {
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  return (
    <ShapedText of={SEVERITY_PRESENTATION[props.severity]}>
      {t(`finding.severity.${props.severity}`)}
    </ShapedText>
  );
}
