import { Link } from '@backstage/core-components';
import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { useTableStyles } from '../table/tableStyles';
import { commitPage, shortRevision } from './repositoryLinks';

/** A revision; a link to the commit where the host's pages are known. */
export function Revision(props: {
  readonly revision: string;
  readonly source: Source | undefined;
  /** -1 in a table that is one stop of the Tab key. */
  readonly tabIndex?: number;
}) {
  const classes = useTableStyles();
  const page = commitPage(props.source, props.revision);
  const text = (
    <code className={classes.code}>{shortRevision(props.revision)}</code>
  );
  return page ? (
    <Link
      to={page}
      title={props.revision}
      tabIndex={props.tabIndex}
      onClick={event => event.stopPropagation()}
    >
      {text}
    </Link>
  ) : (
    <span title={props.revision}>{text}</span>
  );
}
