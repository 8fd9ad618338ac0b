import { takeReport } from '../core/mail-forwarding/take-report.ts';
import { type Command, UsageError } from './command.ts';
import { readMessage } from './read-message.ts';
import { mxSnippet } from './snippets/mx.ts';

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
