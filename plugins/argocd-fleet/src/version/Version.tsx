import type { Source } from 'backstage-plugin-argocd-fleet-common';
import { Revision } from '../source/Revision';
import { useTableStyles } from '../table/tableStyles';
import { versionText } from './versionText';

/** A version as people wrote it, with its commit; of one source, that is a link where the host's pages are known. */
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
  const isOfOne = version !== '' && !version.includes(' ');
  if (isOfOne) {
    return (
      <>
        {commit && `${name} `}
        <Revision revision={version} source={sources[0]} tabIndex={tabIndex} />
      </>
    );
  }
  return (
    <span title={version || undefined}>
      {commit && `${name} `}
      <code className={classes.code}>{commit ?? name}</code>
    </span>
  );
}
