import { JsonObject } from 'apimachinery';
import { Field, FieldType, Message, MESSAGES } from './messages';

/** Prefix of every protobuf body of Kubernetes. */
const MAGIC = Buffer.from('k8s\0');

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

interface RawField {
  readonly number: number;
  /** The bytes of a length-delimited field, or the value of a varint. */
  readonly value: Buffer | bigint;
}

function* rawFields(buffer: Buffer): Generator<RawField> {
  let position = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (position >= buffer.length) {
        throw new Error('unexpected end of a protobuf message');
      }
      const byte = buffer[position];
      position += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return value;
      }
    }
  };
  const bytes = (length: number) => {
    if (position + length > buffer.length) {
      throw new Error('unexpected end of a protobuf message');
    }
    position += length;
    return buffer.subarray(position - length, position);
  };
  while (position < buffer.length) {
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT:
        yield { number, value: varint() };
        break;
      case LENGTH_DELIMITED:
        yield { number, value: bytes(Number(varint())) };
        break;
      case FIXED64:
        yield { number, value: bytes(8) };
        break;
      case FIXED32:
        yield { number, value: bytes(4) };
        break;
      default:
        throw new Error(`protobuf wire type ${tag % 8} is not known`);
    }
  }
}

function decodeTime(buffer: Buffer): string {
  let seconds = 0;
  let nanos = 0;
  for (const { number, value } of rawFields(buffer)) {
    if (number === 1) {
      seconds = Number(value);
    } else {
      nanos = Number(value);
    }
  }
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  const fraction = nanos
    ? `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}`
    : '';
  return `${text}${fraction}Z`;
}

function decodeMapEntry(
  buffer: Buffer,
  encoding: 'utf8' | 'base64',
): [string, string] {
  let key = '';
  let value = '';
  for (const entry of rawFields(buffer)) {
    const bytes = entry.value as Buffer;
    if (entry.number === 1) {
      key = bytes.toString('utf8');
    } else {
      value = bytes.toString(encoding);
    }
  }
  return [key, value];
}

function decodeValue(type: FieldType, value: Buffer | bigint): unknown {
  if (typeof value === 'bigint') {
    return type === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value));
  }
  switch (type) {
    case 'string':
      return value.toString('utf8');
    case 'bytes':
      return value.toString('base64');
    case 'time':
      return decodeTime(value);
    case 'json': {
      const [raw] = rawFields(value);
      return raw ? JSON.parse(raw.value.toString()) : {};
    }
    default:
      return decodeMessage(type as Message, value);
  }
}

function addField(result: JsonObject, field: Field, raw: RawField): void {
  const { name, type } = field;
  if (type === 'stringMap' || type === 'bytesMap') {
    const [key, value] = decodeMapEntry(
      raw.value as Buffer,
      type === 'bytesMap' ? 'base64' : 'utf8',
    );
    result[name] = { ...(result[name] as object), [key]: value };
  } else if (field.repeated) {
    const items = (result[name] as unknown[] | undefined) ?? [];
    result[name] = [...items, decodeValue(type, raw.value)];
  } else {
    const value = decodeValue(type, raw.value);
    // Go writes the zero values that JSON omits.
    if (value !== '' && !isZeroTime(type, raw.value)) {
      result[name] = value;
    }
  }
}

function isZeroTime(type: FieldType, value: Buffer | bigint): boolean {
  return type === 'time' && (value as Buffer).length === 0;
}

function decodeMessage(message: Message, buffer: Buffer): JsonObject {
  const result: JsonObject = {};
  for (const raw of rawFields(buffer)) {
    const field = message[raw.number];
    if (field) {
      addField(result, field, raw);
    }
  }
  return result;
}

/**
 * Decodes a body of media type `application/vnd.kubernetes.protobuf`.
 *
 * @throws Error with the reason when it cannot be decoded or is of an unsupported kind.
 */
export function decodeProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new Error(
      'provided data does not appear to be a protobuf message, expected prefix k8s\\0',
    );
  }
  const envelope = decodeMessage(
    {
      1: {
        name: 'type',
        type: {
          1: { name: 'apiVersion', type: 'string' },
          2: { name: 'kind', type: 'string' },
        },
      },
      2: { name: 'raw', type: 'bytes' },
    },
    body.subarray(MAGIC.length),
  );
  const { apiVersion, kind } = envelope.type as {
    apiVersion: string;
    kind: string;
  };
  // DeleteOptions have the version of the request's resource.
  const message =
    MESSAGES[`${apiVersion}/${kind}`] ??
    (kind === 'DeleteOptions' ? MESSAGES['v1/DeleteOptions'] : undefined);
  if (!message) {
    throw new Error(
      `${apiVersion} ${kind} is not known as protobuf; send JSON`,
    );
  }
  const raw = Buffer.from((envelope.raw as string | undefined) ?? '', 'base64');
  return { apiVersion, kind, ...decodeMessage(message, raw) };
}
