import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@namehold/base';
import type { Config } from '../config.ts';
import type { Probe } from './probes.ts';
import { sendAndRead, sendLines } from './smtp-client.ts';

const run = promisify(execFile);
const programMs = 10_000;
const programBytes = 33_554_432;
const resolverMs = 5_000;
/** Mail servers of one domain, tried one after another. */
const mostServers = 3;
/** For the test mail to the operator. */
const sentMs = 30_000;
const againMs = 500;
const configFolder = '/etc/postfix';

/** Settings that depend on the machine and are not compared. */
const ownChoice = new Set(['smtpd_tls_chain_files', 'message_size_limit']);

/** Empty in the snippet and in Postfix itself. */
const emptyByDefault = new Set(['recipient_delimiter', 'smtpd_recipient_restrictions']);

export type MailHostFacts = Pick<Config, 'mailHosts' | 'abuseAddress' | 'postconf' | 'postqueue'> & {
  readonly mailDomain: string;
};

/** The output of `namehold mx snippet` for a host. */
export type SnippetOf = (host: string) => readonly { readonly file: string; readonly text: string }[];

/** Settings in the format of main.cf or `postconf -n`. Lines that begin with a space continue the line before. */
function settingsIn(text: string): Map<string, string> {
  const lines = text.replace(/\n[ \t]+/g, ' ').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([a-z0-9_]+)\s*=\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value!.replace(/\s+/g, ' ').trim()]];
    }),
  );
}

/** Compares the local Postfix with the snippet. Undefined: there is no Postfix, or it is not a mail host of this service. */
export async function probePostfix(facts: MailHostFacts, snippetOf: SnippetOf): Promise<Probe[] | undefined> {
  const postconf = async (...parameters: string[]) => {
    const [program = '', ...own] = facts.postconf;
    const { stdout } = await run(program, [...own, ...parameters], { timeout: programMs, maxBuffer: programBytes });
    return stdout;
  };
  if (facts.postconf.length === 0) return undefined;
  const shown = await Promise.all([
    postconf('-n'),
    postconf('-h', 'myhostname', 'config_directory'),
    postconf('-M'),
  ]).catch(() => undefined);
  if (!shown) return undefined;
  const present = settingsIn(shown[0]);
  const [host = '', folder = configFolder] = shown[1].split('\n');
  if (!facts.mailHosts.includes(host.toLowerCase())) {
    const text = `myhostname is ${host}, which is not in NAMEHOLD_MAIL_HOSTS`;
    const fix = 'set myhostname in main.cf to the public name of this mail host';
    return present.has('namehold') ? [{ name: 'Postfix settings', ok: false, text, fix }] : undefined;
  }
  const here = (text: string) => text.replaceAll(`${configFolder}/`, `${folder}/`);
  const parts = snippetOf(host.toLowerCase()).map(({ file, text }) => ({ file: here(file), text: here(text) }));
  const reports = /^namehold-report\s+unix\s/m.test(shown[2]);
  return [
    settingsProbe(present, settingsIn(parts.find(({ file }) => file === join(folder, 'main.cf'))?.text ?? '')),
    ...(await Promise.all(parts.filter(({ file }) => file.startsWith(join(folder, 'namehold-'))).map(fileProbe))),
    {
      name: 'Postfix reports',
      ok: reports,
      text: reports
        ? 'are sent to namehold-report'
        : 'master.cf has no service namehold-report: failing targets are not detected',
      fix: 'add the line of namehold mx snippet to master.cf, and reload Postfix',
    },
  ];
}

function settingsProbe(present: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>): Probe {
  const name = 'Postfix settings';
  const wrong = [...wanted].flatMap(([setting, value]) => {
    const is = present.get(setting);
    if (is === value || (is === undefined && emptyByDefault.has(setting)) || ownChoice.has(setting)) return [];
    return [is === undefined ? `${setting} is missing` : `${setting} is "${is}"`];
  });
  if (wrong.length === 0) return { name, ok: true, text: 'match namehold mx snippet' };
  return {
    name,
    ok: false,
    text: `differ from namehold mx snippet: ${wrong.join('; ')}`,
    fix: 'paste the snippet into main.cf again, remove other lines with the same names, and reload Postfix',
  };
}

async function fileProbe({ file, text }: { readonly file: string; readonly text: string }): Promise<Probe> {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  return {
    name: `Postfix file ${file}`,
    ok: found?.trim() === text.trim(),
    text:
      found === undefined
        ? 'cannot be read'
        : found.trim() === text.trim()
          ? 'matches namehold mx snippet'
          : 'differs from namehold mx snippet',
    fix: 'write it as namehold mx snippet prints it, and reload Postfix',
  };
}

export type CertificateFacts = Pick<Config, 'mailHosts' | 'postconf' | 'mxSmtp' | 'mxCertificateFile'>;

/** Sends STARTTLS to a mail server. Returns a text if it presents no certificate. */
export type PresentedBy = (
  place: Config['mxSmtp'],
  name: string,
) => Promise<{ readonly certificate: X509Certificate; readonly doubt: string | undefined } | string>;

/** The certificate that senders get: whether it is the stored one of this mail host, and whether they trust it. */
export async function probeCertificate(
  { postconf, mailHosts, mxSmtp, mxCertificateFile: file }: CertificateFacts,
  presentedCertificate: PresentedBy,
): Promise<Probe[]> {
  const [program = '', ...words] = postconf;
  const { stdout } = await run(program, [...words, '-h', 'myhostname'], { timeout: programMs });
  const host = stdout.trim().toLowerCase();
  if (!mailHosts.includes(host)) return [];
  const name = `certificate of ${host}`;
  const no = (text: string, fix: string): Probe[] => [{ name, ok: false, text, fix }];
  const found = await presentedCertificate(mxSmtp, host);
  const paste = 'add smtpd_tls_chain_files of namehold mx snippet to main.cf';
  if (typeof found === 'string') return no(`Postfix at ${mxSmtp.host}:${mxSmtp.port}: ${found}`, paste);
  const { certificate, doubt } = found;
  const kept = file === undefined ? undefined : await readFile(file, 'utf8').catch(() => '');
  if (kept === '') return no(`${file} cannot be read`, 'run namehold mx, which writes it when there is a certificate');
  const own = kept && new X509Certificate(kept.slice(kept.indexOf('-----BEGIN CERTIFICATE-----')));
  if (own && own.fingerprint256 !== certificate.fingerprint256)
    return no(
      `Postfix presents another certificate than ${file}`,
      `${paste}; its processes read the file again within minutes`,
    );
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  const left = to - systemClock.now().getTime();
  const days = `${Math.floor(left / 86_400_000)} days left`;
  if (doubt !== undefined)
    return no(
      `senders do not trust it: ${doubt}, ${days}`,
      'give Postfix a certificate of a public authority for this name',
    );
  return left < (to - from) / 6
    ? no(days, 'check the alarms of the service: it should have been renewed')
    : [{ name, ok: true, text: days }];
}

/** The reply of Postfix to a sender, without sending a message. */
export async function probeAnswers({ mailDomain }: MailHostFacts, host: string, port: number): Promise<Probe> {
  const name = 'Postfix answers';
  const forged = `SRS0=AAAAAAAA=AA=namehold.invalid=doctor@${mailDomain}`;
  const attempts: readonly (readonly [sender: string, to: string, wanted: RegExp, fix: string])[] = [
    [
      '',
      `postmaster@${mailDomain}`,
      /^250 /,
      'set NAMEHOLD_ABUSE_ADDRESS, run namehold mx, and add virtual_alias_domains and virtual_alias_maps of the snippet to main.cf',
    ],
    [
      '',
      forged,
      /^550 5\.1\.1 .*(invalid or expired|not one of ours)/,
      'add smtpd_relay_restrictions of the snippet to main.cf: the policy service is not queried',
    ],
    [
      `doctor@${mailDomain}`,
      forged,
      /^550 5\.7\.1 .*only delivery reports/,
      'add namehold_returns of the snippet and its file namehold-returns: return addresses accept mail from any sender',
    ],
  ];
  for (const [sender, to, wanted, fix] of attempts) {
    const reply = await sendLines(host, port, [`MAIL FROM:<${sender}>`, `RCPT TO:<${to}>`]);
    if (reply === undefined)
      return { name, ok: false, text: `no answer at port ${port} of this machine`, fix: 'start Postfix' };
    if (!wanted.test(reply)) return { name, ok: false, text: `${to}, from <${sender}>: ${reply}`, fix };
  }
  return { name, ok: true, text: 'replies to postmaster and to forged return addresses match the snippet' };
}

/** DANE needs a resolver that validates and reports it (the AD bit). */
export async function probeResolver(servers: readonly string[]): Promise<Probe> {
  const name = 'resolver';
  const fix =
    'run a validating resolver (unbound) on the mail host and set it in /etc/resolv.conf: without it smtp_tls_security_level = dane has no effect';
  const [server] = servers;
  if (server === undefined) return { name, ok: false, text: 'the machine has no resolver', fix };
  const validates = await isValidating(server);
  if (validates === undefined) return { name, ok: false, text: `${server} does not answer`, fix };
  return { name, ok: validates, text: `${server} ${validates ? 'validates' : 'does not validate (no AD bit)'}`, fix };
}

/** The SOA of the root, which is signed. RFC 6840 5.7: a query requests the AD bit by setting it. */
async function isValidating(server: string): Promise<boolean | undefined> {
  const [, host = server, port = '53'] =
    /^\[?([^\]]+?)\]?:(\d+)$/.exec(isIPv6(server) ? `[${server}]:53` : server) ?? [];
  const id = Math.floor(Math.random() * 65_536);
  const question = Buffer.from('0000012000010000000000010000060001000029' + '04d0000080000000', 'hex');
  question.writeUInt16BE(id);
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const limit = setTimeout(() => resolve(undefined), resolverMs);
  socket.on('error', () => resolve(undefined));
  socket.on('message', (answer) => {
    if (answer.length >= 12 && answer.readUInt16BE() === id) resolve((answer[3]! & 0x20) !== 0);
  });
  socket.send(question, Number(port), host, (error) => error && resolve(undefined));
  return promise.finally(() => {
    clearTimeout(limit);
    socket.close();
  });
}

/** The mail server of the operator's own address, which must be reachable. */
export async function probeOutwards(facts: MailHostFacts, resolver: Resolver, port: number): Promise<Probe> {
  const name = 'outgoing port 25';
  const domain = facts.abuseAddress.split('@')[1];
  const servers = domain === undefined ? [] : await resolver.resolveMx(domain).catch(() => []);
  const others = servers
    .sort((a, b) => a.priority - b.priority)
    .map(({ exchange }) => exchange.toLowerCase())
    .filter((host) => !facts.mailHosts.includes(host))
    .slice(0, mostServers);
  if (others.length === 0) {
    const text = `no mail server to test: mail for NAMEHOLD_ABUSE_ADDRESS (${facts.abuseAddress}) goes to no other mail server`;
    return {
      name,
      ok: false,
      text,
      fix: 'use an address at another mail service: it also receives mail to postmaster',
    };
  }
  for (const host of others) {
    const [address] = [
      ...(await resolver.resolve4(host).catch(() => [])),
      ...(await resolver.resolve6(host).catch(() => [])),
    ];
    const response = address === undefined ? undefined : await sendAndRead(address, port, 'QUIT\r\n', /^220[ -]/);
    if (response !== undefined) return { name, ok: true, text: `${host} answers` };
  }
  const fix = 'request outgoing port 25 from the provider; many open it only on request';
  return { name, ok: false, text: `${others.join(', ')} cannot be reached: no mail leaves this machine`, fix };
}

/** Sends a mail to the operator through the whole path of forwarded mail, until it has left the queue. */
export async function probeTestMail(facts: MailHostFacts, host: string, port: number): Promise<Probe> {
  const { mailDomain, mailHosts, abuseAddress, postqueue } = facts;
  const name = 'test mail';
  // No user writes from the mail domain.
  const sender = `doctor@${mailHosts[0] ?? 'localhost'}`;
  const letter = [
    `From: namehold doctor <${sender}>`,
    `To: <postmaster@${mailDomain}>`,
    'Subject: Forwarding test by namehold doctor',
    `Message-ID: <${crypto.randomUUID()}@${mailDomain}>`,
    `Date: ${systemClock.now().toUTCString().replace('GMT', '+0000')}`,
    '',
    'This mail went through Postfix, rspamd and namehold mx. No action is required.',
    '.',
  ].join('\r\n');
  const lines = [`MAIL FROM:<${sender}>`, `RCPT TO:<postmaster@${mailDomain}>`, 'DATA', letter];
  const said = await sendLines(host, port, lines);
  const id = /^250 .*queued as (\w+)/.exec(said ?? '')?.[1];
  if (id === undefined)
    return {
      name,
      ok: false,
      text: `is refused: ${said ?? 'no answer'}`,
      fix: 'fix the problems above; the logs of Postfix and rspamd have details',
    };
  const waiting = await waitInQueue(postqueue, id);
  const fix = 'the shown message is the cause; see postqueue -p';
  if (waiting !== undefined) return { name, ok: false, text: `${id} waits: ${waiting}`, fix };
  return { name, ok: true, text: `${id} was delivered to the mail server of ${abuseAddress}; check that it arrives` };
}

/** Why a message is still in the queue. Undefined: it is not. */
async function waitInQueue([program = '', ...words]: readonly string[], id: string): Promise<string | undefined> {
  for (let waited = 0; ; waited += againMs) {
    const shown = await run(program, [...words, '-j'], { timeout: programMs, maxBuffer: programBytes }).catch(
      () => undefined,
    );
    if (!shown) return `the queue cannot be read by ${program} (NAMEHOLD_MX_POSTQUEUE)`;
    const line = shown.stdout.split('\n').find((each) => each.includes(`"${id}"`));
    if (line === undefined) return undefined;
    const reason = (JSON.parse(line) as { recipients: { delay_reason?: string }[] }).recipients[0]?.delay_reason;
    if (reason !== undefined || waited >= sentMs) return reason ?? `still in the queue after ${sentMs / 1_000} s`;
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}
