import {
  clusterApplication,
  FORBIDDEN,
  forbiddenApplication,
  minutesAgo,
} from '../__testUtils__/fixtures';
import { causeIdOf, findCauses, normalizeMessage } from './causes';

describe('findCauses', () => {
  it('returns each cause once, the most frequent first, with its start', () => {
    const causes = findCauses([
      clusterApplication('fine'),
      clusterApplication('eu-1', {
        error: 'eu-1: dial tcp 10.0.0.1:443: i/o timeout',
      }),
      { ...forbiddenApplication('a'), since: minutesAgo(3) },
      { ...forbiddenApplication('b'), since: minutesAgo(30) },
    ]);
    expect(causes).toMatchObject([
      { title: FORBIDDEN.title, clusters: 2, finding: FORBIDDEN },
      { title: 'eu-1: dial tcp 10.0.0.1:443: i/o timeout', clusters: 1 },
    ]);
    expect(Date.parse(causes[0].since ?? '')).toBeLessThan(
      Date.parse(minutesAgo(29)),
    );
  });

  it('groups messages that differ only in names, hashes and numbers', () => {
    const [cause, ...others] = findCauses([
      clusterApplication('eu-1', {
        error: 'eu-1: pod x-5f7d9c8b4 failed 3 times',
      }),
      clusterApplication('us-22', {
        error: 'us-22: pod x-0a1b2c3d4 failed 17 times',
      }),
    ]);
    expect(cause).toMatchObject({
      clusters: 2,
      title: '…: pod x-5f7d9c8b4 failed 3 times',
      example: 'eu-1',
    });
    expect(others).toEqual([]);
  });

  it('counts a cluster once however many of its Applications fail', () => {
    const [cause] = findCauses([
      forbiddenApplication('a'),
      {
        ...forbiddenApplication('a'),
        application: { namespace: 'argocd', name: 'other' },
      },
    ]);
    expect(cause.clusters).toBe(1);
    expect(cause.applications).toHaveLength(2);
  });

  it('sorts errors before warnings, whatever their numbers', () => {
    const warning = {
      ...FORBIDDEN,
      code: 'AFC-9',
      severity: 'warning',
    } as const;
    const causes = findCauses([
      clusterApplication('a', { sync: 'OutOfSync', finding: warning }),
      clusterApplication('b', { sync: 'OutOfSync', finding: warning }),
      forbiddenApplication('c'),
    ]);
    expect(causes.map(({ finding }) => finding?.severity)).toEqual([
      'error',
      'warning',
    ]);
  });

  it('prefers the finding of the failed step', () => {
    const row = forbiddenApplication('a');
    const warning = {
      ...FORBIDDEN,
      code: 'AFC-108',
      severity: 'warning',
    } as const;
    const [cause] = findCauses([
      {
        ...row,
        steps: row.steps.map(step =>
          step.id === 'manifestwork' ? { ...step, finding: warning } : step,
        ),
      },
    ]);
    expect(cause.finding).toEqual(FORBIDDEN);
  });

  it('names the Application if the cluster is unknown', () => {
    const lost = {
      ...forbiddenApplication(''),
      application: { namespace: 'argocd', name: 'lost' },
    };
    expect(findCauses([lost, lost])[0]).toMatchObject({
      example: 'lost',
      title: FORBIDDEN.title,
    });
  });

  it('gives a row and its cause the same id', () => {
    const row = forbiddenApplication('a');
    expect(findCauses([row])[0].id).toBe(causeIdOf(row));
    expect(causeIdOf(clusterApplication('fine'))).toBeUndefined();
  });
});

describe('normalizeMessage', () => {
  it.each([
    ['cluster1 is out', 'cluster1', '… is out'],
    ['app paris-guestbook is out', 'paris', 'app …-guestbook is out'],
    ['no comparison in eu.1', 'eu.1', 'no comparison in …'],
    ['no comparison possible', 'paris', 'no comparison possible'],
    ['commit a1b2c3d4e5 at 10:02', 'c', 'commit … at …:…'],
  ])('%s on %s is %s', (message, cluster, bare) => {
    expect(normalizeMessage(message, cluster)).toBe(bare);
  });
});
