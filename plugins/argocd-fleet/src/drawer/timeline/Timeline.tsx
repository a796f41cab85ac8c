import { useTranslationRef } from '@backstage/core-plugin-api/alpha';
import { makeStyles } from '@material-ui/core/styles';
import type { ObjectRef, Source } from 'backstage-plugin-argocd-fleet-common';
import { useEffect, useMemo, useRef } from 'react';
import { argocdFleetTranslationRef } from '../../messages';
import { RequestNotice } from '../../notice/RequestNotice';
import { serverMessageOf } from '../../live/requestProblem';
import { fleetPalette } from '../../status/palette';
import { TextButton } from '../../status/TextButton';
import { FlappingLine } from './FlappingLine';
import { isFlapping, linesOf } from './linesOf';
import { TimelineEntry } from './TimelineEntry';
import { TimelineSkeleton } from './TimelineSkeleton';
import { useTimeline } from './useTimeline';

const useStyles = makeStyles(
  theme => {
    const palette = fleetPalette(theme);
    return {
      list: {
        listStyle: 'none',
        margin: 0,
        padding: 0,
        fontSize: 13,
        '&:focus': { outline: 'none' },
      },
      dim: { color: palette.dim },
      /** Aligned with the text of the entries. */
      more: { paddingLeft: 17 },
      problem: { color: palette.bad, fontSize: 13, overflowWrap: 'anywhere' },
    };
  },
  { name: 'ArgocdFleetTimeline' },
);

/** Transitions of one line that are loaded of themselves, so that it says how many there are. */
const COUNTED = 50;

/** Each change of an Application's health, sync, operation, revision and first error, the latest first; flapping is one line. */
export function Timeline(props: {
  readonly application: ObjectRef;
  /** The Application's sources, to link its revisions. */
  readonly sources: readonly Source[];
  /** Time of the page's last update, in epoch milliseconds. */
  readonly asOf: number | undefined;
}) {
  const classes = useStyles();
  const { t } = useTranslationRef(argocdFleetTranslationRef);
  const { pages, error, loadingMore, moreError, more } = useTimeline(
    props.application,
    props.asOf,
  );
  const list = useRef<HTMLOListElement>(null);
  const moreClicked = useRef(false);
  const complete = Boolean(pages && pages.next === undefined);
  const lines = useMemo(() => linesOf(pages?.items ?? []), [pages]);
  const last = lines.at(-1);
  const isCut =
    last !== undefined &&
    isFlapping(last) &&
    !complete &&
    last.transitions.length < COUNTED;

  useEffect(() => {
    if (isCut && !loadingMore && !moreError) {
      more();
    }
  }, [isCut, loadingMore, moreError, more]);

  useEffect(() => {
    // The button disappears with the last page; without this, the focus would return to the top of the drawer.
    if (complete && moreClicked.current) {
      moreClicked.current = false;
      list.current?.focus({ preventScroll: true });
    }
  }, [complete]);

  return (
    <>
      <h3>{t('timeline.title')}</h3>
      {!pages && !error && <TimelineSkeleton />}
      {!pages && error && <RequestNotice error={error} />}
      {pages && error && (
        <div className={classes.problem} role="status">
          {t('timeline.notFresh', { message: serverMessageOf(error) })}
        </div>
      )}
      {pages?.items.length === 0 && (
        <div className={classes.dim}>{t('timeline.empty')}</div>
      )}
      {pages && pages.items.length > 0 && (
        <ol
          ref={list}
          tabIndex={-1}
          className={classes.list}
          aria-label={t('timeline.title')}
        >
          {lines.map(line =>
            isFlapping(line) ? (
              <FlappingLine
                // The oldest: later transitions extend the line.
                key={line.transitions.at(-1)?.sequence}
                flapping={line}
                goesOn={line === last && !complete}
                sources={props.sources}
              />
            ) : (
              <TimelineEntry
                key={line.sequence}
                transition={line}
                sources={props.sources}
              />
            ),
          )}
        </ol>
      )}
      {moreError && (
        <div className={classes.problem} role="status">
          {t('timeline.moreFailed', { message: serverMessageOf(moreError) })}
        </div>
      )}
      {pages?.next !== undefined && (
        <div className={classes.more}>
          <TextButton
            onClick={() => {
              moreClicked.current = true;
              more();
            }}
          >
            {t(loadingMore ? 'timeline.loadingMore' : 'timeline.more')}
          </TextButton>
        </div>
      )}
    </>
  );
}
