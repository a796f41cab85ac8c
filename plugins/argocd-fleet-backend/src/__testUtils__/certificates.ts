import {
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for servers on 127.0.0.1 and for clients. */
export interface CertificateAuthority {
  /** Its own certificate, in PEM. */
  readonly cert: string;
  issue(commonName: string): Certificate;
}

/** A length in as few bytes as possible, which DER demands and Go checks. */
function derLength(length: number): number[] {
  if (length < 0x80) {
    return [length];
  }
  return length < 0x100
    ? [0x81, length]
    : [0x82, Math.floor(length / 0x100), length % 0x100];
}

/** Encodes one ASN.1 value with its tag in DER. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  return Buffer.concat([Buffer.from([tag, ...derLength(length)]), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const set = (...parts: Uint8Array[]) => der(0x31, ...parts);
const octets = (content: Uint8Array) => der(0x04, content);
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
const TRUE = der(0x01, Buffer.from([0xff]));

/** An object identifier, already encoded. */
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');

const LOOPBACK = der(0x87, Buffer.from([127, 0, 0, 1]));

function nameOf(commonName: string): Buffer {
  return sequence(
    set(sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))),
  );
}

/** An ASN.1 GeneralizedTime, to the second. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\..*/g, '');
  return der(0x18, Buffer.from(`${digits}Z`));
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Node.js cannot create certificates; this is the part of RFC 5280 that TLS on loopback needs. */
function certify(options: {
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly signer: KeyObject;
  readonly isAuthority: boolean;
}): string {
  const { subject, publicKey, issuer, signer, isAuthority } = options;
  const extension = isAuthority
    ? sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE)))
    : sequence(SUBJECT_ALTERNATIVE_NAME, octets(sequence(LOOPBACK)));
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(
      time(new Date(Date.now() - DAY_MS)),
      time(new Date(Date.now() + DAY_MS)),
    ),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const certificate = sequence(
    content,
    ECDSA_WITH_SHA256,
    bits(sign('sha256', content, signer)),
  );
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

/** Creates an authority with that name and a new key. */
export function createCertificateAuthority(name: string): CertificateAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const common = { issuer: name, signer: authority.privateKey };
  return {
    cert: certify({
      ...common,
      subject: name,
      publicKey: authority.publicKey,
      isAuthority: true,
    }),
    issue(subject) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        cert: certify({
          ...common,
          subject,
          publicKey: pair.publicKey,
          isAuthority: false,
        }),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      };
    },
  };
}
