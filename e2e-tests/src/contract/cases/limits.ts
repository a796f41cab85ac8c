import { DeclareCase } from '../contractCase';
import {
  CONFIG_MAPS,
  HubUnderTest,
  JSON_PATCH,
  WIDGETS,
} from '../hubUnderTest';
import { configMap, widget } from '../testObjects';

const KIB = 1024;

export function limitCases(contractCase: DeclareCase, hub: HubUnderTest) {
  contractCase('refuse a ConfigMap over 1 MiB', async () => {
    const { status, body } = await hub.call('POST', CONFIG_MAPS, {
      ...configMap('too-large'),
      data: { k: 'x'.repeat(KIB * KIB + 1) },
    });
    expect(status).toBe(422);
    expect(body.message).toBe(
      'ConfigMap "too-large" is invalid: []: Too long: may not be more than 1048576 bytes',
    );
  });

  contractCase('accept a ConfigMap of nearly 1 MiB', async () => {
    const { status } = await hub.call('POST', CONFIG_MAPS, {
      ...configMap('large'),
      data: { k: 'x'.repeat(KIB * KIB - 100) },
    });
    expect(status).toBe(201);
  });

  contractCase('refuse an object that is too large for etcd', async () => {
    const { status, body } = await hub.call(
      'POST',
      WIDGETS,
      widget({ free: { k: 'x'.repeat(1600 * KIB) } }, { name: 'huge' }),
    );
    expect(status).toBe(500);
    expect(body.message).toBe('etcdserver: request is too large');
  });

  contractCase('refuse a request over 3 MiB', async () => {
    const { status, body } = await hub.call(
      'POST',
      WIDGETS,
      widget({ free: { k: 'x'.repeat(3 * KIB * KIB) } }),
    );
    expect(status).toBe(413);
    expect(body).toMatchObject({
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
  });

  contractCase('refuse a JSON patch with too many operations', async () => {
    await hub.create(CONFIG_MAPS, configMap('many'));
    const { status, body } = await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/many`,
      Array.from({ length: 10_001 }, () => ({
        op: 'test',
        path: '/kind',
        value: 'ConfigMap',
      })),
      JSON_PATCH,
    );
    expect(status).toBe(413);
    expect(body.message).toBe(
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });
}
