import { IncomingMessage } from 'node:http';
import { parse as parseYaml } from 'yaml';
import { nextTurn } from 'apimachinery';
import {
  badRequest,
  requestEntityTooLarge,
  unsupportedMediaType,
} from '../api/statusErrors';
import { decodeProtobuf } from '../protobuf/decode';

/** kube-apiserver's limit on the size of a request body, in bytes. */
const BODY_LIMIT = 3 * 1024 * 1024;

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** Reads the whole body, then waits for a turn to process it. @throws ApiError 413 beyond the limit. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > BODY_LIMIT) {
    request.resume();
    throw requestEntityTooLarge(BODY_LIMIT);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) {
      chunks.push(chunk);
    }
  }
  if (size > BODY_LIMIT) {
    throw requestEntityTooLarge(BODY_LIMIT);
  }
  await nextTurn();
  return Buffer.concat(chunks);
}

/** Media type of a body, without parameters. */
export function contentType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? JSON_TYPE).split(';')[0].trim();
}

/** Parses JSON, or with `yaml` YAML too. @throws ApiError 400 with the parser's message. */
export function parseText(
  body: Buffer,
  yaml: boolean,
  errorPrefix: string,
): unknown {
  const text = body.toString('utf8');
  try {
    // JSON is valid YAML, and the JSON parser is far faster.
    return yaml && !/^\s*[{[]/.test(text) ? parseYaml(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(
      `${errorPrefix}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function parseObject(type: string, body: Buffer, errorPrefix: string): unknown {
  if (type !== PROTOBUF_TYPE) {
    return parseText(body, type === YAML_TYPE, errorPrefix);
  }
  try {
    return decodeProtobuf(body);
  } catch (error) {
    throw badRequest(
      `${errorPrefix}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Reads an object in one of Kubernetes' media types; `undefined` when the body is empty.
 *
 * @throws ApiError 415, 413 or 400.
 */
export async function readObject(
  request: IncomingMessage,
  kind: string,
): Promise<unknown> {
  const type = contentType(request);
  const accepted = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
  if (!accepted.includes(type)) {
    request.resume();
    throw unsupportedMediaType(accepted);
  }
  const body = await readBody(request);
  if (body.length === 0) {
    return undefined;
  }
  return parseObject(
    type,
    body,
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error`,
  );
}
