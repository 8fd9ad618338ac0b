import { takeReturned } from '../core/delivery/bounce.ts';
import { type Command, optional, UsageError } from './command.ts';
import { readMessage } from './read-message.ts';

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
