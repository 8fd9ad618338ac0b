import { takeReturned } from '../core/delivery/bounce.ts';
import { takeReport } from '../core/mail-forwarding/take-report.ts';
import { type Command, optional, UsageError } from './command.ts';
import { readMessage } from './read-message.ts';
import { mxSnippet } from './snippets/mx.ts';

const bounce: Command = {
  name: 'mail bounce',
  summary: 'Read a bounce message from standard input and mark its notice as undeliverable',
  usage: 'mail bounce [--to ADDRESS] < MESSAGE',
  options: {
    to: { type: 'string', about: 'Return address that received the bounce; default: environment ORIGINAL_RECIPIENT.' },
  },
  async run(call) {
    const to = optional(call, 'to') ?? process.env.ORIGINAL_RECIPIENT;
    if (!to) throw new UsageError('--to is missing, and ORIGINAL_RECIPIENT is not set');
    const message = await readMessage();
    const outcome = await call.tools.withContext((ctx) => takeReturned(ctx, to, message));
    // An unknown message also exits with 0. Otherwise the mail server would send a bounce for the bounce.
    return { lines: [outcome], json: { outcome } };
  },
};

export const mailCommands: readonly Command[] = [bounce];

const mx: Command = {
  name: 'mx',
  summary: 'Run the lookup and policy service for Postfix on a mail host, which routes forwarded mail',
  usage: 'mx',
  async run({ tools }) {
    await tools.serveMx();
    return {};
  },
};

const snippet: Command = {
  name: 'mx snippet',
  summary: 'Print the configuration of a mail host: Postfix, rspamd and DNS records',
  usage: 'mx snippet [HOST]',
  async run({ tools, positionals }) {
    const config = tools.config();
    const { mailHosts, mailDomain } = config;
    if (mailHosts.length === 0 || mailDomain === undefined)
      throw new UsageError('set NAMEHOLD_MAIL_HOSTS and NAMEHOLD_MAIL_DOMAIN first: the configuration needs them');
    const mailHost = positionals[0]?.toLowerCase() ?? mailHosts[0]!;
    if (!mailHosts.includes(mailHost)) throw new UsageError(`${mailHost} is not in NAMEHOLD_MAIL_HOSTS`);
    const parts = mxSnippet({ ...config, mailDomain, mailHost });
    return { lines: parts.flatMap(({ file, text }) => [`# ---- ${file}`, text]), json: parts };
  },
};

const report: Command = {
  name: 'mx report',
  summary: 'Read a Postfix delivery report from standard input and count permanent failures of mail targets',
  usage: 'mx report < MESSAGE',
  async run({ tools }) {
    const message = await readMessage();
    const failures = await tools.withContext((ctx) => takeReport(ctx, message));
    return { lines: [`${failures} permanent failures`], json: { failures } };
  },
};

export const mxCommands: readonly Command[] = [mx, snippet, report];
