import { parseDurationMs } from '@namehold/base';
import { answerConfirmation } from '../core/confirmation/confirm.ts';
import { readEveryMailbox } from '../core/notices/mailbox.ts';
import { type Command, optional, positional, UsageError } from './command.ts';

const run: Command = {
  name: 'sandbox',
  summary: 'Run the sandbox registry without the service',
  usage: 'sandbox',
  async run({ tools }) {
    await tools.runSandbox();
    return {};
  },
};

const clock: Command = {
  name: 'sandbox clock',
  summary: 'Show or move the business clock of the service and the sandbox registry',
  usage: 'sandbox clock [+30d | -2h]',
  async run({ tools, positionals }) {
    const by = positionals[0] === undefined ? 0 : parseDurationMs(positionals[0]);
    if (by === undefined) throw new UsageError('the argument must be a duration such as +30d, +12h, -45m or +10s');
    const now = tools.moveClock(by);
    return { lines: [`business time is ${now.toISOString()}`], json: { now: now.toISOString() } };
  },
};

const fault: Command = {
  name: 'sandbox fault',
  summary: 'Add a fault rule to the sandbox registry (drop, delay or corrupt responses), or remove all rules',
  usage:
    'sandbox fault KIND --rate 0.05 [--seed 7] [--command domain:create] [--ms 500] [--limit 3] | sandbox fault off',
  options: {
    rate: { type: 'string', about: 'Share of commands that are affected, 0 to 1; default: 1.' },
    seed: { type: 'string', about: 'Seed of the random selection.' },
    command: { type: 'string', about: 'Only this command, such as domain:create, renew or login.' },
    ms: { type: 'string', about: 'Delay in milliseconds.' },
    bytes: { type: 'string', about: 'Number of bytes to send before the connection is cut.' },
    limit: { type: 'string', about: 'Maximum number of times.' },
    domain: { type: 'string', about: 'Only commands for this domain.', alias: 'name' },
    until: { type: 'string', about: 'Event that ends the holding of a command: time, question or command.' },
    zone: { type: 'string', about: 'Time zone of the dates that the registry sends, such as +07:00.' },
    mark: { type: 'string', about: 'Notation of that time zone in dates: offset, none or Z.' },
  },
  async run(call) {
    const kind = positional(call, 0, 'the kind of fault (or off)');
    if (kind === 'off') {
      const answer = await call.tools.sandboxControl('DELETE', '/faults');
      return { lines: ['all fault rules removed'], json: answer };
    }
    const number = (name: string) => {
      const text = optional(call, name);
      if (text === undefined) return {};
      if (!Number.isFinite(Number(text))) throw new UsageError(`--${name} must be a number`);
      return { [name]: Number(text) };
    };
    const text = (name: string, option = name) => {
      const value = optional(call, option);
      return value === undefined ? {} : { [name]: value };
    };
    const command = optional(call, 'command');
    const body = {
      kind,
      ...number('rate'),
      ...number('seed'),
      ...number('ms'),
      ...number('bytes'),
      ...number('limit'),
      ...text('name', 'domain'),
      ...text('until'),
      ...text('zone'),
      ...text('mark'),
      ...(command ? { commands: [command] } : {}),
    };
    const answer = await call.tools.sandboxControl('POST', '/faults', body);
    return { lines: [`fault rule added: ${JSON.stringify(answer)}`], json: answer };
  },
};

const show: Command = {
  name: 'sandbox show',
  summary: 'Show a domain as stored by the sandbox registry',
  usage: 'sandbox show DOMAIN',
  async run(call) {
    const answer = await call.tools.sandboxControl(
      'GET',
      `/domains/${encodeURIComponent(positional(call, 0, 'the domain'))}`,
    );
    return { lines: [JSON.stringify(answer, null, 2)], json: answer };
  },
};

const mailsListed = 20;
const mailsSearched = 1_000;
const linkForm = /^https?:\/\/\S+\/confirm\/([a-z0-9]+)$/m;

const mail: Command = {
  name: 'sandbox mail',
  summary: 'List the mail of the sandbox mailbox, show one message, or confirm its request',
  usage: 'sandbox mail [ID] [--confirm]',
  options: { confirm: { type: 'boolean', about: 'Confirm the request by the link in the mail.' } },
  async run({ tools, positionals: [id], options }) {
    return tools.withContext(async (ctx) => {
      const mails = await readEveryMailbox(ctx, id === undefined ? mailsListed : mailsSearched);
      if (id === undefined) {
        const lines = mails.map(({ id: each, at, to, subject }) => `${each}  ${at}  ${to.address}  ${subject}`);
        return { lines: lines.length > 0 ? lines : ['no mail'], json: mails };
      }
      const found = mails.find((one) => one.id === id);
      if (!found) throw new UsageError(`mail ${id} not found`);
      if (options.confirm !== true) return { lines: [found.text], json: found };
      const token = linkForm.exec(found.text)?.[1];
      const answer = { isConfirmed: true, isLockWaived: false };
      const confirmed = token === undefined ? undefined : await answerConfirmation(ctx, token, answer, '127.0.0.1');
      if (!confirmed) throw new UsageError(`mail ${id} has no open confirmation request`);
      return { lines: ['confirmed'], json: { confirmed: true } };
    });
  },
};

export const sandboxCommands: readonly Command[] = [run, clock, fault, show, mail];
