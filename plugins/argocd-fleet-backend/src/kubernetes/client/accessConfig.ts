import { z } from 'zod';
import { isLoopbackHttp } from './access';

/** An address in the configuration to which credentials are sent. */
export const addressSchema = z
  .string()
  .refine(
    url =>
      isLoopbackHttp(url) || (url.startsWith('https://') && URL.canParse(url)),
    'must be an address that begins with https:// (http:// is accepted on loopback only)',
  );

/** Certificates of a CA in the configuration. */
export const certificatesSchema = z
  .string()
  .refine(
    data =>
      Buffer.from(data, 'base64')
        .toString('latin1')
        .includes('-----BEGIN CERTIFICATE-----'),
    'must be certificates in PEM, in base64, as in certificate-authority-data of a kubeconfig',
  );
