import type { Reader } from '@namehold/postgres';
import { findForwarding } from '../forwarding/forwarding.sql.ts';
import { whyBlocked } from '../forwarding/served.ts';
import { forwardsOf } from '../mail-forwarding/mail-domain.sql.ts';
import { nextToExpire } from '../mail-forwarding/target.sql.ts';
import type { CertificateStatus } from '../model/certificate.ts';
import type { Domain } from '../model/domain.ts';
import { findCertificate } from '../tables/certificate.sql.ts';
import type { Milestone } from './milestone.ts';

/** Active forwarding of a domain. */
interface Forwarded {
  readonly web: boolean;
  readonly mail: boolean;
  readonly certificate: CertificateStatus | undefined;
  readonly lapsing: Awaited<ReturnType<typeof nextToExpire>>;
}

export async function forwardedOf(db: Reader, domain: Domain): Promise<Forwarded> {
  const [{ rules }, forwards, certificate, lapsing] = await Promise.all([
    findForwarding(db, domain),
    forwardsOf(db, domain),
    findCertificate(db, domain),
    nextToExpire(db, domain),
  ]);
  return {
    web: rules.some((rule) => rule.enabled),
    mail: forwards.some((forward) => forward.enabled),
    certificate,
    lapsing,
  };
}

/** Coming events of the domain's forwarding. `stops`: when the domain stops resolving; null: it does not. */
export function forwardingMilestones(domain: Domain, found: Forwarded, stops: Date | null, now: Date): Milestone[] {
  const coming: Milestone[] = [];
  const add = (at: Date | null | undefined, what: string, who: Milestone['who'], sentence: string) => {
    if (at && at > now) coming.push({ at, what, who, sentence, price: null });
  };
  add(
    found.certificate?.renew_at,
    'certificate_renewed',
    'platform',
    "The HTTPS certificate of the domain's web forwarding is renewed.",
  );
  if (found.lapsing) {
    const { address, lapses_at, waiting } = found.lapsing;
    const more = Number(waiting) - 1;
    const others =
      more > 0 ? ` ${more} more ${more === 1 ? 'recipient has' : 'recipients have'} not confirmed either.` : '';
    const sentence = `The link that confirms email forwarding to ${address} expires.${others}`;
    add(lapses_at, 'mail_target_lapses', 'reseller', sentence);
  }
  if (whyBlocked(domain) !== undefined) return coming;
  if (found.web) add(stops, 'forwarding_stops', 'platform', 'If not renewed, web forwarding stops.');
  if (found.mail) add(stops, 'mail_forwarding_stops', 'platform', 'If not renewed, email for this domain is rejected.');
  return coming;
}
