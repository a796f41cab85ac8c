/** Go writes each of these as six bytes, like `\u003c`: encoding/json makes all it writes fit to stand inside of HTML. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

/** Bytes that a text of JSON has once a program in Go has written it, as kube-apiserver stores it and hands it to webhooks. */
export function goJsonBytes(json: string): number {
  // A text with none of them comes back as it is, which makes this about as fast as only counting.
  return Buffer.byteLength(json.replace(ESCAPED_BY_GO, '\\u0000'));
}
