import { Link } from '@backstage/core-components';
import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { commitPage } from '../source/repositoryLinks';
import { useTableStyles } from '../table/tableStyles';
import { versionText } from './versionText';

/** A version as people wrote it, with its commit, a link where there is one source and the host's pages are known. */
export function Version(props: {
  readonly texts: readonly string[] | undefined;
  /** The revisions of all sources, separated by spaces. */
  readonly version: string | undefined;
  readonly sources: readonly Source[];
  /** -1 in a table that is one stop of the Tab key. */
  readonly tabIndex?: number;
}) {
  const classes = useTableStyles();
  const { texts, version = '', sources, tabIndex } = props;
  const { name, commit } = versionText(texts, version);
  const [only, ...others] = version.split(' ');
  const page =
    others.length === 0 && only ? commitPage(sources[0], only) : undefined;
  const text = commit ? (
    <>
      {name} <code className={classes.code}>{commit}</code>
    </>
  ) : (
    <code className={classes.code}>{name}</code>
  );
  return page ? (
    <Link
      to={page}
      title={version}
      tabIndex={tabIndex}
      onClick={event => event.stopPropagation()}
    >
      {text}
    </Link>
  ) : (
    <span title={version || undefined}>{text}</span>
  );
}
