import type { SerialQuery } from '../../core/ports/serial-query.ts';
import { DnsClient } from './dns-client.ts';
import { probeZone } from './probe-zone.ts';

const ANSWER_TIMEOUT_MS = 2_000;

/** Serial queries for API calls. The socket is opened at the first one. */
export function serialQuerier(from: string): SerialQuery {
  const dnsClient = new DnsClient(from);
  return async (nameserver, zone) => {
    const look = await probeZone(dnsClient, nameserver, zone, ANSWER_TIMEOUT_MS);
    if (look.state === 'serial') return { serial: look.serial };
    return { error: look.state === 'refused' ? look.reason : 'no answer' };
  };
}
