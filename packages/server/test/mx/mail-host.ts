import { writeFileSync } from 'node:fs';
import type { SnippetPart } from '../../src/cli/snippets/snippet.ts';
import { linesOf, PostfixCopy } from '../support/postfix.ts';

interface MailHostOptions {
  readonly port: number;
  /** The output of `namehold mx snippet`. */
  readonly snippet: readonly SnippetPart[];
  /** The server for mail to all other domains. */
  readonly othersPort: number;
  /** Without rspamd. */
  readonly more?: Record<string, string>;
}

/** A mail host with the unchanged snippet, without what loopback lacks (certificates, DNS). */
export function startMailHost({ port, snippet, othersPort, more = {} }: MailHostOptions): PostfixCopy {
  const copy = new PostfixCopy(port);
  const here = (text: string) => text.replaceAll('/etc/postfix/', `${copy.at('etc')}/`);
  for (const { file, text } of snippet.filter(({ file }) => file.startsWith('/etc/postfix/namehold-')))
    writeFileSync(here(file), text);
  const { text } = snippet.find(({ file }) => file.endsWith('/main.cf'))!;
  const lacking = {
    smtpd_tls_chain_files: '',
    smtpd_tls_security_level: 'none',
    smtp_tls_security_level: 'none',
    smtp_dns_support_level: 'disabled',
    relayhost: `[127.0.0.1]:${othersPort}`,
    // All clients count as external, loopback too.
    mynetworks: '192.0.2.0/24',
    smtpd_milters: '',
    // Reports use the same route.
    transport_maps: '',
    ...(/^mydestination =/m.test(text) ? {} : { mydestination: '$myhostname, localhost.$mydomain, localhost' }),
    ...more,
  };
  // Replaces lines of the snippet, because each process warns of duplicate settings, and its log socket takes only ten at a time.
  const kept = here(text)
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => !Object.hasOwn(lacking, line.split(' = ')[0]!));
  copy.start(`${kept.join('\n')}${linesOf(lacking)}`);
  return copy;
}
