/** Codes of Node.js for a certificate that it does not trust. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

/** What to do about a TLS connection that failed because of its certificate; undefined for any other error. */
export function adviceForTlsError(error: object): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string') {
    return undefined;
  }
  if (UNTRUSTED.has(code)) {
    return 'the certificate of the server is not signed by a CA that we trust for it: set caData or caFile, or certificate-authority of the kubeconfig, to the CA of that server';
  }
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'the certificate of the server has expired: renew it there';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'the certificate of the server is for another name: use an address with that name';
    default:
      return undefined;
  }
}
