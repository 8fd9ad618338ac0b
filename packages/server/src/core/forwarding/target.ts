import ipaddr from 'ipaddr.js';
import type { Config } from '../../config.ts';
import { badField } from '../errors.ts';
import { forwardingLimits } from './rule.ts';

type TargetConfig = Pick<Config, 'redirectAddresses' | 'redirectDeny' | 'mode'>;

/** Special-use names (RFC 6761, RFC 6762, RFC 8375) and common names of private networks, which are not publicly reachable. */
const localNames = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|arpa|onion)$/;

/** The addresses to which forwarded hosts point. In sandbox mode there is always one. */
export function edgeAddresses(config: Pick<Config, 'redirectAddresses' | 'mode'>): readonly string[] {
  const { redirectAddresses: given, mode } = config;
  return given.length === 0 && mode === 'sandbox' ? ['127.0.0.1'] : given;
}

/** A certificate authority is available: a configured one, or that of the sandbox. */
export function servesTls(config: Pick<Config, 'mode' | 'redirectTlsPort' | 'acmeDirectory'>): boolean {
  return config.redirectTlsPort !== undefined && (config.acmeDirectory !== undefined || config.mode === 'sandbox');
}

/** A normalised web address: parsed, its host in lower-case A-labels. `allowsSub`: its path may contain `{sub}` once. */
export function readTarget(text: string, config: TargetConfig, allowsSub: boolean): string {
  const no = (message: string, code?: string) => badField('target', message, code);
  if (text.length > forwardingLimits.targetLength)
    throw no(`Must have at most ${forwardingLimits.targetLength} characters.`, 'too_long');
  if (/[\u0000-\u0020\u007f\\]/.test(text)) throw no('Must not contain spaces, backslashes or control characters.');
  if (!/^https?:\/\/[^/]/i.test(text)) throw no('Must be a full address, such as https://example.com.');
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw no('Contains a percent sign that is not an escape such as %20.');
  const url = URL.parse(text);
  if (!url) throw no('This is not a valid URL: its host or port cannot be read.');
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    throw no('Must not contain a user or password.');
  if (url.port === '0') throw no('Port 0 cannot be reached.');
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  requireReachable(url.hostname, config);
  const subs = text.split('{sub}').length - 1;
  const inPath = url.pathname.split('%7Bsub%7D').length - 1;
  if (subs > 0 && !allowsSub) throw no('{sub} is only allowed in a rule for the host *.');
  if (subs > 1 || subs !== inPath) throw no('{sub} is allowed once, in the path.');
  if (url.href.length > forwardingLimits.targetLength)
    throw no(`Must have at most ${forwardingLimits.targetLength} characters after escaping.`, 'too_long');
  return url.href.replace('%7Bsub%7D', '{sub}');
}

/** A publicly reachable host that is not this service. */
function requireReachable(host: string, config: TargetConfig): void {
  const no = (message: string) => badField('target', message);
  const literal = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(literal)) {
    const address = ipaddr.process(literal);
    if (address.range() !== 'unicast' || !isGlobal(address))
      throw no(`${literal} is a private, local or reserved address.`);
    if (edgeAddresses(config).some((edge) => ipaddr.process(edge).toString() === address.toString()))
      throw no(`${literal} is the address of the forwarding service itself.`);
    return;
  }
  if (!host.includes('.') || localNames.test(host)) throw no(`${host} is a name of a local network.`);
  if (host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63))
    throw no(`${host.slice(0, 100)} is not a host name.`);
  const denied = deniedBy(host, config.redirectDeny);
  if (denied !== undefined) throw no(`Your provider does not allow forwarding to ${denied}.`);
}

/** Of IPv6 only 2000::/3 is allocated (RFC 4291 2.4); the rest includes old notations of IPv4 addresses. */
function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv4' || (address.toByteArray()[0]! & 0xe0) === 0x20;
}

/** The entry of the operator's deny list that is the host or is above it. */
export function deniedBy(host: string, denied: readonly string[]): string | undefined {
  return denied.find((name) => host === name || host.endsWith(`.${name}`));
}

/** The same target with the requested host appended to its path. */
export function withSub(target: string): string {
  const url = new URL(target);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/{sub}`;
  return url.href.replace('%7Bsub%7D', '{sub}');
}
