import { generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

/** A DER value: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : [0x82, Math.floor(length / 256), length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bytes = (...values: number[]) => Buffer.from(values);

/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2. */
const ECDSA = sequence(der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)));
/** subjectAltName, 2.5.29.17: the address 127.0.0.1. */
const ON_LOOPBACK = sequence(
  der(0x06, bytes(0x55, 0x1d, 17)),
  der(0x04, sequence(der(0x87, bytes(127, 0, 0, 1)))),
);

function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

/** A self-signed certificate for 127.0.0.1, valid from yesterday to tomorrow; key and certificate as PEM. */
export function selfSignedCertificate(commonName: string): {
  key: string;
  certificate: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  });
  // commonName, 2.5.4.3.
  const name = sequence(
    der(
      0x31,
      sequence(
        der(0x06, bytes(0x55, 4, 3)),
        der(0x0c, Buffer.from(commonName)),
      ),
    ),
  );
  const now = Date.now();
  const content = sequence(
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(1)),
    ECDSA,
    name,
    sequence(time(new Date(now - DAY_MS)), time(new Date(now + DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(ON_LOOPBACK)),
  );
  const certificate = sequence(
    content,
    ECDSA,
    der(0x03, bytes(0), sign('sha256', content, privateKey)),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
