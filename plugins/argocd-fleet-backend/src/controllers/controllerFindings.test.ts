import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { worstFindings } from './controllerFindings';

function finding(severity: Finding['severity']): Finding {
  return { code: 'AFC-104', severity, title: '', message: '' };
}

it('shows the worst of very many findings, and how many more there are', () => {
  const many = Array.from({ length: 5_000 }, () => finding('warning'));
  const shown = worstFindings([...many, finding('error')]);
  expect(shown).toHaveLength(201);
  expect(shown[0].severity).toBe('error');
  expect(shown.at(-1)).toMatchObject({
    code: 'AFC-421',
    title: '4801 more findings',
  });
});

it('shows all of a few', () => {
  expect(worstFindings([finding('info'), finding('error')])).toEqual([
    finding('error'),
    finding('info'),
  ]);
});
