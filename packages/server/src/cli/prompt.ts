import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Reads one answer at the terminal. A hidden one is not shown while it is entered. */
export async function promptAtTerminal(
  question: string,
  { isHidden }: { readonly isHidden: boolean },
): Promise<string> {
  // Standard error, because a program may read the output of the command on standard output.
  if (isHidden) process.stderr.write(question);
  const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const interrupted = new AbortController();
  terminal.once('SIGINT', () => interrupted.abort());
  try {
    return await terminal.question(isHidden ? '' : question, { signal: interrupted.signal });
  } finally {
    terminal.close();
    if (isHidden) process.stderr.write('\n');
  }
}
