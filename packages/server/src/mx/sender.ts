import { isIpHost } from '../core/mail-forwarding/ip-host.ts';

export const longestAddress = 512;
const needsQuotes = /[\s"(),:;<>@[\\\]]/;

export interface MailAddress {
  readonly local: string;
  readonly host: string;
}

export function splitAddress(address: string): MailAddress | undefined {
  if (address.length > longestAddress) return undefined;
  const at = address.lastIndexOf('@');
  // A dot at the end names the same host.
  const host = address.slice(at + 1).replace(/\.+$/, '');
  return at > 0 && host !== '' ? { local: address.slice(0, at), host } : undefined;
}

/**
 * Why nothing could be returned to a sender, as an SMTP reply; undefined: its address can be rewritten. Mail hosts, the maps and the
 * sandbox refuse the same senders.
 */
export function unreturnable(sender: string): string | undefined {
  const from = splitAddress(sender);
  const because = (why: string) => `553 5.1.7 Mail cannot be returned to this sender: ${why}`;
  if (!from) return because('its address is incomplete');
  if (isIpHost(from.host)) return because('it has an IP address instead of a domain');
  return needsQuotes.test(from.local) ? because('its local part needs quotes') : undefined;
}
