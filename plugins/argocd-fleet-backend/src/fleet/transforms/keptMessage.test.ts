import { STATUS_CONDITION } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../../model/__testUtils__/applications';
import { readStatusMark } from '../../model/status/statusCondition';
import { keptMessage, saysMessage } from './keptMessage';
import { transformApplication } from './transformApplication';

const message = [
  'Runs on the managed cluster cluster1 as argocd/web.',
  'kubectl get manifestworks.work.open-cluster-management.io -n cluster1 web-12345 -o yaml',
  '[spec 0123456789]',
].join('\n');

describe('the stored form of a message of ours', () => {
  it('is shorter, and can be compared with a message', () => {
    const kept = keptMessage(message);
    expect(kept.length).toBeLessThan(message.length);
    expect(saysMessage(kept, message)).toBe(true);
    expect(saysMessage(message, message)).toBe(true);
    expect(saysMessage(kept, message.replace('web', 'api'))).toBe(false);
    expect(saysMessage(undefined, message)).toBe(false);
  });

  it('keeps the spec mark of the status, and leaves the conditions of others alone', () => {
    const others = { type: 'SyncError', message: `${message}\nnot ours` };
    const whole = {
      ...application(),
      status: { conditions: [others, { type: STATUS_CONDITION, message }] },
    };
    const stored = transformApplication(whole);
    expect(stored.status?.conditions?.[0]).toEqual(others);
    expect(stored.status?.conditions?.[1].message).not.toBe(message);
    expect(readStatusMark(stored)).toEqual({ spec: '0123456789' });
    expect(readStatusMark(stored)).toEqual(readStatusMark(whole));
  });
});
