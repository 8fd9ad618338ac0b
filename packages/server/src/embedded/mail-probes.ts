import { getServers } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import {
  type CertificateFacts,
  type MailHostFacts,
  type PresentedBy,
  probeAnswers,
  probeCertificate,
  probeOutwards,
  probePostfix,
  probeResolver,
  probeTestMail,
  type SnippetOf,
} from './mail-host-probes.ts';
import type { Probe } from './probes.ts';
import { sendAndRead } from './smtp-client.ts';

const answerMs = 5_000;

type MailFacts = Pick<Config, 'mailHosts' | 'mailDomain' | 'resolvers' | 'mxHost' | 'mxPort'> &
  CertificateFacts &
  Omit<MailHostFacts, 'mailDomain'>;

/** The mail host programs on this machine. */
interface MailHostOptions {
  readonly snippetOf: SnippetOf;
  readonly presentedCertificate: PresentedBy;
  /** Whether to send a test mail to the operator. */
  readonly sendsMail: boolean;
  readonly smtpPort?: number;
  /** The port of mail servers. */
  readonly worldPort?: number;
  /** The resolvers of the machine, which Postfix uses. */
  readonly servers?: readonly string[];
}

/** Checks of `namehold doctor`: the mail hosts, as seen from this machine, and the machine itself if it is one. */
export async function probeMail(config: MailFacts, options: MailHostOptions): Promise<Probe[]> {
  const { mailDomain, mailHosts, resolvers } = config;
  if (mailDomain === undefined || mailHosts.length === 0) return [];
  const { smtpPort = 25 } = options;
  const resolver = new Resolver({ timeout: answerMs, tries: 1 });
  if (resolvers.length > 0) resolver.setServers(resolvers);
  const found = await Promise.all([
    probeSpf(resolver, mailDomain),
    probeMaps(config.mxHost, config.mxPort, mailDomain),
    ...mailHosts.flatMap((host) => [probeReverse(resolver, host), probeSmtp(resolver, host, smtpPort)]),
  ]);
  return [...found, ...(await probeThisHost({ ...config, mailDomain }, resolver, options))];
}

async function probeThisHost(
  facts: MailHostFacts & CertificateFacts,
  resolver: Resolver,
  options: MailHostOptions,
): Promise<Probe[]> {
  const { snippetOf, presentedCertificate, sendsMail, smtpPort = 25, worldPort = 25, servers = getServers() } = options;
  const postfix = await probePostfix(facts, snippetOf);
  if (!postfix) return [];
  return [
    ...postfix,
    ...(await probeCertificate(facts, presentedCertificate)),
    await probeAnswers(facts, '127.0.0.1', smtpPort),
    await probeResolver(servers),
    await probeOutwards(facts, resolver, worldPort),
    ...(sendsMail ? [await probeTestMail(facts, '127.0.0.1', smtpPort)] : []),
  ];
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

/** Resolved by DNS, because /etc/hosts does not show what others resolve. */
function reverseName(address: string): string {
  const octets = ipaddr.parse(address).toByteArray().reverse();
  if (octets.length === 4) return `${octets.join('.')}.in-addr.arpa`;
  return `${octets.map((octet) => `${(octet & 15).toString(16)}.${(octet >> 4).toString(16)}`).join('.')}.ip6.arpa`;
}

/** Many mail servers refuse a host without matching reverse DNS. */
async function probeReverse(resolver: Resolver, host: string): Promise<Probe> {
  const name = `mail host ${host}`;
  const addresses = await addressesOf(resolver, host);
  if (addresses.length === 0)
    return { name, ok: false, text: 'has no address', fix: `publish A and AAAA records of ${host}` };
  const names = await Promise.all(
    addresses.map((address) => resolver.resolvePtr(reverseName(address)).catch(() => [])),
  );
  const unmatched = addresses.filter((_, at) => !names[at]!.some((each) => each.toLowerCase() === host));
  const fix = `ask the owner of the address to set its PTR record to ${host}`;
  return unmatched.length === 0
    ? { name, ok: true, text: `${addresses.join(', ')}, and back` }
    : { name, ok: false, text: `${unmatched.join(', ')} has no matching PTR record`, fix };
}

async function probeSmtp(resolver: Resolver, host: string, port: number): Promise<Probe> {
  const name = `SMTP at ${host}`;
  const [address] = await addressesOf(resolver, host);
  const reply =
    address === undefined ? undefined : await sendAndRead(address, port, 'EHLO namehold.invalid\r\n', /^250 .*\r\n/m);
  if (reply === undefined || !/^220[ -]/.test(reply))
    return {
      name,
      ok: false,
      text: `does not answer at port ${port}`,
      fix: 'run Postfix there, and open port 25 to the public',
    };
  return /^250[ -]STARTTLS/im.test(reply)
    ? { name, ok: true, text: 'answers, with TLS' }
    : { name, ok: false, text: 'answers without TLS', fix: 'give Postfix a certificate (smtpd_tls_chain_files)' };
}

/** On a machine that is no mail host, no answer is expected. */
async function probeMaps(host: string, port: number, domain: string): Promise<Probe> {
  const key = `domain ${domain}`;
  const said = port === 0 ? undefined : await sendAndRead(host, port, `${key.length}:${key},`, /,$/);
  const name = 'namehold mx';
  if (said === undefined) return { name, ok: true, text: `does not run on this machine (${host}:${port})` };
  const ok = said.includes(`:OK ${domain},`);
  return { name, ok, text: ok ? 'answers' : `answers "${said}"`, fix: 'set the same NAMEHOLD_MAIL_DOMAIN' };
}
