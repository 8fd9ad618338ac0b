import { orderCertificates } from '../core/certificates/order-certificates.ts';
import type { Job } from './scheduler.ts';

/** Orders and renews the certificates of forwarded domains. Each step is stored. */
export const orderCertificatesJob: Job = { name: 'order-certificates', everyMs: 500, run: orderCertificates };
