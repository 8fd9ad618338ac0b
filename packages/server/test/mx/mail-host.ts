import { writeFileSync } from 'node:fs';
import type { SnippetPart } from '../../src/cli/snippets/snippet.ts';
import { linesOf, PostfixCopy } from '../support/postfix.ts';

export interface MailHostOptions {
  readonly port: number;
  /** What `namehold mx snippet` printed. */
  readonly snippet: readonly SnippetPart[];
  /** Where everything goes that is for somebody else. */
  readonly worldPort: number;
  /** Without rspamd. */
  readonly more?: Record<string, string>;
}

/** A mail host as an operator sets it up, from the snippet as it is; what loopback lacks (certificates, DNS) is left out. */
export function startMailHost({ port, snippet, worldPort, more = {} }: MailHostOptions): PostfixCopy {
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
    relayhost: `[127.0.0.1]:${worldPort}`,
    // Everybody who writes here is a stranger, loopback or not.
    mynetworks: '192.0.2.0/24',
    smtpd_milters: '',
    // Reports go where everything goes.
    transport_maps: '',
    ...(/^mydestination =/m.test(text) ? {} : { mydestination: '$myhostname, localhost.$mydomain, localhost' }),
    ...more,
  };
  // In place of the snippet's lines: each process warns of a setting that is there twice, and the socket for such lines takes ten at a time.
  const kept = here(text)
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => !Object.hasOwn(lacking, line.split(' = ')[0]!));
  copy.start(`${kept.join('\n')}${linesOf(lacking)}`);
  return copy;
}
