import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import type { Probe } from './probes.ts';

const answerMs = 5_000;
const mostAnswer = 10_000;

/** What `namehold doctor` sees of the mail hosts, from where it runs. */
export async function probeMail(
  config: Pick<Config, 'mailHosts' | 'mailDomain' | 'resolvers' | 'mxHost' | 'mxPort'>,
  smtpPort = 25,
): Promise<Probe[]> {
  const { mailDomain, mailHosts, resolvers } = config;
  if (mailDomain === undefined || mailHosts.length === 0) return [];
  const resolver = new Resolver({ timeout: answerMs, tries: 1 });
  if (resolvers.length > 0) resolver.setServers(resolvers);
  const found = await Promise.all([
    probeSpf(resolver, mailDomain),
    probeMaps(config.mxHost, config.mxPort, mailDomain),
    ...mailHosts.flatMap((host) => [probeReverse(resolver, host), probeSmtp(resolver, host, smtpPort)]),
  ]);
  return found;
}

async function probeSpf(resolver: Resolver, domain: string): Promise<Probe> {
  const texts = await resolver.resolveTxt(domain).catch(() => []);
  const spf = texts.map((parts) => parts.join('')).filter((text) => /^v=spf1( |$)/i.test(text));
  return {
    name: 'mail SPF',
    ok: spf.length === 1,
    text: spf.length === 1 ? `${domain}: ${spf[0]}` : `${domain} has ${spf.length} SPF records`,
    fix: `publish one: ${domain}. TXT "v=spf1 mx -all"`,
  };
}

async function addressesOf(resolver: Resolver, host: string): Promise<string[]> {
  const both = await Promise.all([resolver.resolve4(host).catch(() => []), resolver.resolve6(host).catch(() => [])]);
  return both.flat();
}

/** Asked in the DNS: what the machine's own file of hosts says is not what others see. */
function reverseName(address: string): string {
  const octets = ipaddr.parse(address).toByteArray().reverse();
  if (octets.length === 4) return `${octets.join('.')}.in-addr.arpa`;
  return `${octets.map((octet) => `${(octet & 15).toString(16)}.${(octet >> 4).toString(16)}`).join('.')}.ip6.arpa`;
}

/** Many mail servers take nothing from a host whose address does not lead back to its name. */
async function probeReverse(resolver: Resolver, host: string): Promise<Probe> {
  const name = `mail host ${host}`;
  const addresses = await addressesOf(resolver, host);
  if (addresses.length === 0)
    return { name, ok: false, text: 'has no address', fix: `publish A and AAAA records of ${host}` };
  const names = await Promise.all(
    addresses.map((address) => resolver.resolvePtr(reverseName(address)).catch(() => [])),
  );
  const astray = addresses.filter((_, at) => !names[at]!.some((each) => each.toLowerCase() === host));
  const fix = `let the owner of the address set its PTR record to ${host}`;
  return astray.length === 0
    ? { name, ok: true, text: `${addresses.join(', ')}, and back` }
    : { name, ok: false, text: `${astray.join(', ')} does not lead back to the name`, fix };
}

async function probeSmtp(resolver: Resolver, host: string, port: number): Promise<Probe> {
  const name = `SMTP at ${host}`;
  const [address] = await addressesOf(resolver, host);
  const said =
    address === undefined ? undefined : await ask(address, port, 'EHLO namehold.invalid\r\n', /^250 .*\r\n/m);
  if (said === undefined || !/^220[ -]/.test(said))
    return {
      name,
      ok: false,
      text: `does not answer at port ${port}`,
      fix: 'run Postfix there, and open port 25 to the world',
    };
  return /^250[ -]STARTTLS/im.test(said)
    ? { name, ok: true, text: 'answers, with TLS' }
    : { name, ok: false, text: 'answers without TLS', fix: 'give Postfix a certificate (smtpd_tls_chain_files)' };
}

/** Where this machine is no mail host, nobody answers, and that is well. */
async function probeMaps(host: string, port: number, domain: string): Promise<Probe> {
  const key = `domain ${domain}`;
  const said = port === 0 ? undefined : await ask(host, port, `${key.length}:${key},`, /,$/);
  const name = 'namehold mx';
  if (said === undefined) return { name, ok: true, text: `does not run on this machine (${host}:${port})` };
  const ok = said.includes(`:OK ${domain},`);
  return { name, ok, text: ok ? 'answers' : `answers "${said}"`, fix: 'give it the same NAMEHOLD_MAIL_DOMAIN' };
}

/** What is said until it matches, or until patience ends. Undefined: nobody is there. */
function ask(host: string, port: number, words: string, isEnough: RegExp): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host, port, timeout: answerMs });
    const end = () => {
      socket.destroy();
      resolve(text === '' ? undefined : text);
    };
    const limit = setTimeout(end, 2 * answerMs);
    socket.on('close', () => clearTimeout(limit));
    socket.on('data', (piece) => {
      const isFirst = text === '';
      text += piece.toString('latin1');
      if (isFirst && /^220 /m.test(text)) socket.write(words);
      else if (isEnough.test(text) || text.length > mostAnswer) end();
    });
    // A mail server greets first; a map waits for its question.
    socket.on('connect', () => {
      if (!words.startsWith('EHLO')) socket.write(words);
    });
    socket.on('error', end).on('timeout', end).on('end', end);
  });
}
