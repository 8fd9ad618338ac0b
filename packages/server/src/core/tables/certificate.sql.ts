import { type Reader, sql } from '@namehold/postgres';
import type { CertificateStatus } from '../model/certificate.ts';
import type { Domain } from '../model/domain.ts';

export async function findCertificate(
  db: Reader,
  domain: Pick<Domain, 'id' | 'reseller_id'>,
): Promise<CertificateStatus | undefined> {
  return db.maybe<CertificateStatus>(sql`
    select names, not_before, not_after, renew_at, live_since, state, reason, failures from certificate
    where domain_id = ${domain.id} and reseller_id = ${domain.reseller_id}`);
}
