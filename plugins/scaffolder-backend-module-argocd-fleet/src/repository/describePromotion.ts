import type {
  Promotion,
  PromotionSide,
} from 'backstage-plugin-argocd-fleet-common';
import { code } from '../markdown';
import { folderOf } from './fleetFolder';
import type { PromotedChange } from './promoteValues';
import type { Commit } from './hosts';

/** Commits that a description lists. */
const MAX_COMMITS = 30;

/**
 * The description of a promotion's pull request, as Markdown: what it changes, on how many clusters, and what lies between.
 * @param commits - since the folder of `to` last changed, or between the revisions of both, newest first; a text where they could not be read, which says why
 */
export function describePromotion(
  { from, to, targetRevision }: Promotion,
  changes: readonly PromotedChange[],
  commits: readonly Commit[] | string,
): string {
  const folder = targetRevision ? folderOf(to.ref.name) : to.source.path;
  return [
    `Brings what ${nameOf(from)} runs to ${nameOf(to)}, which deploys \`${to.source.path}\` to ${clusters(to.clusters)}.`,
    '',
    '| Value | Before | After |',
    '| ----- | ------ | ----- |',
    ...changes.map(
      ({ file, what, before, after }) =>
        `| ${code(what)} in ${code(`${folder}/${file}`)} | ${before ? code(before) : 'none'} | ${code(after)} |`,
    ),
    '',
    '### What runs now',
    '',
    '| | Commit | Clusters that run it, synced and healthy | Images |',
    '| - | - | - | - |',
    ...[from, to].map(
      side =>
        `| ${nameOf(side)} | ${side.revision ? shortRevision(side.revision) : 'none'} | ${side.ready} of ${side.clusters} | ${side.images
          .map(
            ({ image, clusters: on }) =>
              `${code(image)} on ${String(on)} of ${side.clusters}`,
          )
          .join(', ')} |`,
    ),
    ...describeCommits(
      commits,
      targetRevision
        ? 'Commits between both'
        : `Commits since ${code(to.source.path ?? '.')} last changed`,
    ),
  ].join('\n');
}

function describeCommits(
  commits: readonly Commit[] | string,
  heading: string,
): string[] {
  const title = ['', `### ${heading}`, ''];
  if (typeof commits === 'string') {
    return [...title, `Not known: ${code(commits)}`];
  }
  if (commits.length === 0) {
    return [...title, 'None.'];
  }
  const more = commits.length - MAX_COMMITS;
  return [
    ...title,
    ...commits
      .slice(0, MAX_COMMITS)
      .map(
        ({ revision, subject, author }) =>
          `- ${shortRevision(revision)} ${code(subject)} ${code(author)}`,
      ),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

function nameOf({ ref }: PromotionSide): string {
  return `\`${ref.namespace}/${ref.name}\` on the hub \`${ref.hub}\``;
}

function clusters(count: number): string {
  return `${count} cluster${count === 1 ? '' : 's'}`;
}

/** Enough of a commit for the source control to link it. */
function shortRevision(revision: string): string {
  return revision.slice(0, 7);
}
