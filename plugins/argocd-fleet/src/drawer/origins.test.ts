import { clusterApplication } from '../__testUtils__/fixtures';
import { isFromElsewhere, unusualOrigins } from './origins';

const OWN = { from: 'manifestWork', observedAt: '2026-01-01T00:00:00Z' };
const SEARCH = { from: 'search', observedAt: '2026-01-01T00:00:00Z' };

describe('unusualOrigins', () => {
  it('ignores details from the usual source', () => {
    const sources = { conditions: OWN, resources: OWN, images: OWN };
    expect(unusualOrigins(clusterApplication('a', { sources }))).toEqual([]);
    expect(unusualOrigins(clusterApplication('a'))).toEqual([]);
    expect(
      unusualOrigins(
        clusterApplication('a', {
          deliveryModel: 'push',
          sources: { resources: { from: 'application' } },
        }),
      ),
    ).toEqual([]);
  });

  it('groups parts with the same source and age', () => {
    const sources = {
      conditions: OWN,
      resources: SEARCH,
      images: { ...SEARCH },
    };
    expect(unusualOrigins(clusterApplication('a', { sources }))).toEqual([
      { source: SEARCH, parts: ['resources', 'images'] },
    ]);
  });

  it('separates a list that was only completed', () => {
    const completed = { ...SEARCH, completed: true };
    const sources = { resources: completed, images: SEARCH };
    const application = clusterApplication('a', { sources });
    expect(unusualOrigins(application)).toEqual([
      { source: completed, parts: ['resources'] },
      { source: SEARCH, parts: ['images'] },
    ]);
    expect(isFromElsewhere(application, 'resources')).toBe(false);
    expect(isFromElsewhere(application, 'images')).toBe(true);
  });
});
