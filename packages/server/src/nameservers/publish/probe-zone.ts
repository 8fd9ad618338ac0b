import { decodeRdata, query, RCODE, readMessage, writeMessage } from '@namehold/dns';
import type { DnsClient, QueryTarget } from './dns-client.ts';

/** Result of an SOA query at a nameserver. */
export type ProbeResult =
  | { readonly state: 'serial'; readonly serial: number }
  /** It answers, but does not serve this zone. */
  | { readonly state: 'refused'; readonly reason: string }
  | { readonly state: 'silent' };

const rcodeNames = new Map<number, string>(Object.entries(RCODE).map(([name, code]) => [code, name]));

/** Queries like a public resolver: unsigned, over UDP. */
export async function probeZone(
  dnsClient: DnsClient,
  target: QueryTarget,
  zone: string,
  timeoutMs: number,
): Promise<ProbeResult> {
  const answer = await dnsClient.exchange(target, (id) => writeMessage(query(id, zone, 'SOA')), timeoutMs);
  if (!answer) return { state: 'silent' };
  try {
    const message = readMessage(answer);
    const soa = message.answer.find((rr) => rr.type === 'SOA');
    if (message.rcode === RCODE.NOERROR && message.flags.authoritative && soa)
      return { state: 'serial', serial: decodeRdata('SOA', soa.rdata).serial };
    const name = rcodeNames.get(message.rcode) ?? `rcode ${message.rcode}`;
    return { state: 'refused', reason: message.rcode === RCODE.NOERROR ? 'not authoritative' : name };
  } catch {
    return { state: 'refused', reason: 'an unreadable response' };
  }
}
