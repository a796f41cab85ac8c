import { z } from 'zod';
import { addressProblem } from './access';

/** An address in the configuration to which credentials are sent. */
export const addressSchema = z.string().check(({ value, issues }) => {
  const message = addressProblem(value);
  if (message) {
    issues.push({ code: 'custom', input: value, message });
  }
});

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
