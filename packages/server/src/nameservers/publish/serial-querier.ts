import type { SerialQuery } from '../../core/ports/serial-query.ts';
import { DnsClient } from './dns-client.ts';
import { probeZone } from './probe-zone.ts';

const ANSWER_TIMEOUT_MS = 2_000;

/** Serial queries for API calls. The socket is opened at the first one. */
export function serialQuerier(from: string): SerialQuery {
  const dnsClient = new DnsClient(from);
  return async (nameserver, zone) => {
    const result = await probeZone(dnsClient, nameserver, zone, ANSWER_TIMEOUT_MS);
    if (result.state === 'serial') return { serial: result.serial };
    return { error: result.state === 'refused' ? result.reason : 'no answer' };
  };
}
