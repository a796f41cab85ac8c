import { Link } from '@backstage/core-components';
import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { useTableStyles } from '../section/tableStyles';
import { commitPage, shortRevision } from './repositoryLinks';

/** Revision as a link to its commit, where its page is known. */
export function Revision(props: {
  readonly revision: string;
  readonly source: Source | undefined;
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
      onClick={event => event.stopPropagation()}
    >
      {text}
    </Link>
  ) : (
    <span title={props.revision}>{text}</span>
  );
}
