import { orderCertificates } from '../core/certificates/order-certificates.ts';
import type { Job } from './scheduler.ts';

/** Certificates for forwarded names: ordered, renewed in time, each step stored. */
export const orderCertificatesJob: Job = { name: 'order-certificates', everyMs: 500, run: orderCertificates };
