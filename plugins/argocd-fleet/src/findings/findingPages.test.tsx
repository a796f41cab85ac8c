import { fetchApiRef } from '@backstage/core-plugin-api';
import { renderInTestApp, renderTestApp } from '@backstage/frontend-test-utils';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { axe, toHaveNoViolations } from 'jest-axe';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeBackend, ok } from '../__testUtils__/fakeBackend';
import { FORBIDDEN } from '../__testUtils__/fixtures';
import fleetPlugin from '../index';
import { FindingBox } from './FindingBox';

expect.extend(toHaveNoViolations);

function openPage(path: string) {
  const { fetch } = createFakeBackend(ok({ items: [], hubs: [] }));
  return renderTestApp({
    features: [fleetPlugin],
    initialRouteEntries: [`/argocd-fleet${path}`],
    apis: [[fetchApiRef, { fetch }]],
  });
}

it.each([
  ['the texts', [], join(__dirname, 'catalogue.generated.ts')],
  ['the titles', ['--index'], join(__dirname, '../../../../docs/findings.md')],
])('has %s of docs/findings/ (`npm run generate`)', (_, options, file) => {
  const script = join(__dirname, '../../scripts/findings.mjs');
  const { stdout } = spawnSync(process.execPath, [script, ...options], {
    encoding: 'utf8',
  });
  expect(stdout).toContain('AFC-204');
  expect(readFileSync(file, 'utf8')).toBe(stdout);
});

it('shows what a code means and what to do', async () => {
  const { container } = openPage('/findings/AFC-210');
  expect(
    await screen.findByRole('heading', { name: /^AFC-210: / }),
  ).toBeInTheDocument();
  expect(screen.getByText('Error')).toBeInTheDocument();
  expect(screen.getByText(/At least one resource is degraded/)).toBeVisible();
  expect(screen.getByText(/lists the resources that are not/)).toBeVisible();
  expect(screen.getByText(/where it does not\./)).toBeVisible();
  expect(
    screen
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent),
  ).toEqual(['Cause', 'Check', 'Fix']);
  expect(document.title).toMatch(/^AFC-210 \| Findings \| /);
  expect(await axe(container)).toHaveNoViolations();
});

it('lists every code, each a link', async () => {
  const { container } = openPage('/findings');
  const cluster = await screen.findByRole('region', {
    name: 'The managed cluster',
  });
  expect(await axe(container)).toHaveNoViolations();
  await userEvent.click(
    within(cluster).getByRole('link', { name: /^AFC-204: / }),
  );
  expect(
    await screen.findByRole('heading', { name: /^AFC-204: / }),
  ).toBeInTheDocument();
});

it('says that a code is unknown, and links to the list', async () => {
  openPage('/findings/AFC-999');
  expect(await screen.findByText(/no finding AFC-999/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: /All findings/ }));
  expect(
    await screen.findByRole('heading', { name: 'Findings' }),
  ).toBeInTheDocument();
});

describe('a finding’s box', () => {
  const { fix } = FORBIDDEN;
  const finding = {
    ...FORBIDDEN,
    fix: {
      ...fix!,
      alternatives: [
        { description: 'It makes Argo CD cluster-admin:', command: 'wide' },
      ],
    },
  };

  it('shows each way with its own description and copy button', async () => {
    const writeText = jest.fn().mockResolvedValue(undefined);
    renderInTestApp(<FindingBox finding={finding} />);
    const buttons = await screen.findAllByRole('button', { name: 'Copy' });
    expect(buttons).toHaveLength(2);
    // The way that is mostly right is not lost among the others.
    expect(
      screen.getByText('Another way').closest('details'),
    ).not.toHaveAttribute('open');
    expect(
      screen.getByText('It makes Argo CD cluster-admin:'),
    ).toBeInTheDocument();
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText },
    });
    await userEvent.click(buttons[1]);
    expect(writeText).toHaveBeenCalledWith('wide');
  });

  it('shows the first lines of a long text, and copies all of it', async () => {
    const writeText = jest.fn().mockResolvedValue(undefined);
    const command = Array.from({ length: 40 }, (_, line) => `line ${line}`);
    renderInTestApp(
      <FindingBox
        finding={{
          ...FORBIDDEN,
          fix: { description: 'Apply:', command: command.join('\n') },
        }}
      />,
    );
    const more = await screen.findByRole('button', {
      name: 'Show 24 more lines',
    });
    expect(screen.getByText(/line 15/)).toBeInTheDocument();
    expect(screen.queryByText(/line 16/)).toBeNull();
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(writeText).toHaveBeenCalledWith(command.join('\n'));
    await userEvent.click(more);
    expect(screen.getByText(/line 39/)).toBeInTheDocument();
  });

  it('shows the code without a link in an app without the page', async () => {
    renderInTestApp(<FindingBox finding={finding} showTitle />);
    expect(await screen.findByText('AFC-204')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'AFC-204' })).toBeNull();
  });
});
