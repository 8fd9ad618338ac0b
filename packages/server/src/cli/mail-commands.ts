import { takeReturned } from '../core/notices/bounce.ts';
import { type Command, optional, UsageError } from './command.ts';
import { readMessage } from './read-message.ts';

const bounce: Command = {
  name: 'mail bounce',
  summary: 'Take a mail that came back, from standard input, and mark its notice',
  usage: 'mail bounce [--to ADDRESS] < MESSAGE',
  options: { to: { type: 'string', about: 'Address that it came back to; default: ORIGINAL_RECIPIENT.' } },
  async run(call) {
    const to = optional(call, 'to') ?? process.env.ORIGINAL_RECIPIENT;
    if (!to) throw new UsageError('--to is missing, and ORIGINAL_RECIPIENT is not set');
    const message = await readMessage();
    const outcome = await call.tools.withContext((ctx) => takeReturned(ctx, to, message));
    // What is not ours ends well too: a mail server would otherwise send a report about a report.
    return { lines: [outcome], json: { outcome } };
  },
};

export const mailCommands: readonly Command[] = [bounce];
