import { ServiceUnavailableError } from '@backstage/errors';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { objectOfKind } from './controller';
import { failureFinding, mostSevereFindings } from './controllerFindings';

function finding(severity: Finding['severity']): Finding {
  return { code: 'AFC-104', severity, title: '', message: '' };
}

it('shows the most severe of very many findings, and how many more there are', () => {
  const many = Array.from({ length: 5_000 }, () => finding('warning'));
  const shown = mostSevereFindings([...many, finding('error')]);
  expect(shown).toHaveLength(201);
  expect(shown[0].severity).toBe('error');
  expect(shown.at(-1)).toMatchObject({
    code: 'AFC-421',
    title: '4801 more findings',
  });
});

it('blames the database, not the hub, for what the database did not store', () => {
  const controller = {
    name: 'resourceSync',
    failureContext: { objectOf: objectOfKind('Application'), rbacFile: '' },
  };
  const error = new ServiceUnavailableError('no space left on device');
  expect(failureFinding(controller, 'hub', 'argocd/shop', error)).toMatchObject(
    {
      code: 'AFC-415',
      evidence: 'no space left on device',
      object: { kind: 'Application', namespace: 'argocd', name: 'shop' },
    },
  );
});

it('shows all findings when there are few', () => {
  expect(mostSevereFindings([finding('info'), finding('error')])).toEqual([
    finding('error'),
    finding('info'),
  ]);
});
