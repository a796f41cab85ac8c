import { decodeProtobuf } from './decode';

function field(number: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

function body(apiVersion: string, kind: string, ...fields: Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])),
    field(2, Buffer.concat(fields)),
  ]);
}

describe('decodeProtobuf', () => {
  it('decodes the body of `kubectl create secret`', () => {
    const metadata = Buffer.concat([
      field(1, 's'),
      field(3, ''),
      // Go always writes the zero value of creationTimestamp.
      field(8, ''),
      field(11, Buffer.concat([field(1, 'a'), field(2, 'b')])),
      field(14, 'example.com/x'),
    ]);
    const data = Buffer.concat([field(1, 'k'), field(2, 'v')]);
    expect(
      decodeProtobuf(
        body(
          'v1',
          'Secret',
          field(1, metadata),
          field(2, data),
          field(3, 'Opaque'),
          Buffer.from([5 * 8, 1]),
        ),
      ),
    ).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 's',
        labels: { a: 'b' },
        finalizers: ['example.com/x'],
      },
      data: { k: 'dg==' },
      type: 'Opaque',
      immutable: true,
    });
  });

  it('decodes times', () => {
    const time = Buffer.from([0x08, 0x80, 0xe2, 0xe0, 0xed, 0x06]);
    const { metadata } = decodeProtobuf(
      body('v1', 'ConfigMap', field(1, field(8, time))),
    );
    expect(metadata).toEqual({
      creationTimestamp: new Date(1840787712 * 1000)
        .toISOString()
        .replace('.000', ''),
    });
  });

  it.each([
    [Buffer.from('{}'), 'does not appear to be a protobuf message'],
    [body('v1', 'Pod'), 'v1 Pod is not known as protobuf; send JSON'],
    [
      Buffer.concat([Buffer.from('k8s\0'), Buffer.from([10, 50, 1])]),
      'unexpected end of a protobuf message',
    ],
  ])('rejects a body that it cannot decode', (bytes, message) => {
    expect(() => decodeProtobuf(bytes)).toThrow(message);
  });
});
