import { screen, waitFor } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import { createFakeBackend, ok } from '../__testUtils__/fakeBackend';
import { entityFleet, guestbook } from '../__testUtils__/fixtures';
import { GUESTBOOK } from '../__testUtils__/entity';
import { renderForEntity } from '../__testUtils__/render';
import { EntityFleetWarning } from './EntityFleetWarning';

expect.extend(toHaveNoViolations);

const withTrouble = (inTrouble: number, clusters: number) => {
  const set = guestbook();
  return {
    ...set,
    summary: {
      ...set.summary,
      clusters,
      state: { ...set.summary.state, inTrouble, running: 0 },
    },
  };
};

async function renderWarning(
  set: ReturnType<typeof withTrouble>,
  share?: number,
) {
  const backend = createFakeBackend(ok(entityFleet([set])));
  const { baseElement } = renderForEntity(
    <EntityFleetWarning share={share} />,
    backend,
    { entity: GUESTBOOK },
  );
  await waitFor(() => expect(backend.streams()).toBe(1));
  return baseElement;
}

describe('the warning of an entity', () => {
  it.each<[number, number, number | undefined]>([
    [21, 100, undefined],
    [1, 4, undefined],
    [1, 100, 0],
  ])('is there for %d of %d with the share %s', async (bad, all, share) => {
    const baseElement = await renderWarning(withTrouble(bad, all), share);
    expect(
      await screen.findByText(
        'This component is in trouble on many of its clusters',
      ),
    ).toBeVisible();
    expect(
      screen.getByText(`${bad} of ${all} clusters in trouble`),
    ).toBeVisible();
    expect(await axe(baseElement)).toHaveNoViolations();
  });

  it.each<[number, number, number | undefined]>([
    [20, 100, undefined],
    [0, 0, undefined],
    [0, 5, 0],
    [50, 100, 0.5],
  ])('is not there for %d of %d with the share %s', async (bad, all, share) => {
    await renderWarning(withTrouble(bad, all), share);
    expect(screen.queryByText(/is in trouble/)).toBeNull();
  });
});
