import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import { useRef, type MouseEvent, type ReactNode } from 'react';
import { argocdFleetTranslationRef } from '../messages';

const useStyles = makeStyles(
  theme => ({
    overview: {
      display: 'flex',
      flexWrap: 'wrap',
      gap: '6px 24px',
      listStyle: 'none',
      margin: '0 0 18px',
      padding: 0,
      fontSize: 14,
      '& a': { color: theme.palette.link, marginRight: 8 },
    },
    section: { '&:focus': { outline: 'none' } },
  }),
  { name: 'ArgocdFleetSectionList' },
);

/** Sections below each other, under one line that links to each and says how it is. */
export function SectionList(props: {
  readonly sections: readonly {
    readonly key: string;
    readonly label: string;
    /** How the section's ApplicationSet is. */
    readonly mark: ReactNode;
    readonly content: () => ReactNode;
  }[];
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const elements = useRef(new Map<string, HTMLElement | null>());
  const { sections } = props;

  function show(event: MouseEvent, key: string) {
    // Without the fragment in the URL, which would be one more step for the back button.
    event.preventDefault();
    const section = elements.current.get(key);
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }

  return (
    <>
      {sections.length > 1 && (
        <nav aria-label={t('mark.title')}>
          <ul className={classes.overview}>
            {sections.map(({ key, label, mark }) => (
              <li key={key}>
                <a
                  href={`#argocd-fleet-section-${key}`}
                  onClick={event => show(event, key)}
                >
                  {label}
                </a>
                {mark}
              </li>
            ))}
          </ul>
        </nav>
      )}
      {sections.map(({ key, content }) => (
        <div
          key={key}
          id={`argocd-fleet-section-${key}`}
          ref={element => {
            elements.current.set(key, element);
          }}
          className={classes.section}
          tabIndex={-1}
        >
          {content()}
        </div>
      ))}
    </>
  );
}
