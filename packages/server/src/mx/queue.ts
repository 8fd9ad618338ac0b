import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Some 60,000 messages; what is beyond is not looked at. */
const mostOctets = 32 * 1024 * 1024;
const mostDomains = 10_000;
const patienceMs = 30_000;

/** Mail that waits for one domain. */
export interface Waiting {
  messages: number;
  oldest: Date;
  /** What was said when the oldest was tried last. */
  reason: string;
}

/** Mail that Postfix has not got rid of yet. */
export interface Queue {
  readonly messages: number;
  readonly oldest: Date | undefined;
  /** By the domain that it is for. */
  readonly domains: ReadonlyMap<string, Waiting>;
  /** False: there was too much to read all of it. */
  readonly isWhole: boolean;
}

interface Entry {
  readonly arrival_time: number;
  readonly recipients: readonly { readonly address: string; readonly delay_reason?: string }[];
}

/** Reads what `postqueue -j` prints, a message a line; fails where the program does. */
export function readQueue([program, ...words]: readonly string[]): Promise<Queue> {
  return new Promise((resolve, reject) => {
    const domains = new Map<string, Waiting>();
    let messages = 0;
    let octets = 0;
    let isWhole = true;
    const child = spawn(program!, [...words, '-j'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const enough = () => {
      isWhole = false;
      child.kill('SIGKILL');
      // Whoever else holds the other end is not waited for.
      child.stdout.destroy();
    };
    const limit = setTimeout(enough, patienceMs);
    child.stdout.on('data', (piece: Buffer) => {
      octets += piece.length;
      if (octets > mostOctets) enough();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = isWhole ? entryOf(line) : undefined;
      if (!entry) return;
      messages += 1;
      add(domains, entry);
    });
    child.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(limit);
      if (isWhole && code !== 0) reject(new Error(`${program} ended with ${code}`));
      const times = [...domains.values()].map(({ oldest }) => oldest.getTime());
      const oldest = times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.min(a, b)));
      resolve({ messages, oldest, domains, isWhole });
    });
  });
}

/** The last line of what was cut off is none. */
function entryOf(line: string): Entry | undefined {
  try {
    const { arrival_time, recipients } = JSON.parse(line) as Partial<Entry>;
    return typeof arrival_time === 'number' && Array.isArray(recipients) ? { arrival_time, recipients } : undefined;
  } catch {
    return undefined;
  }
}

function add(domains: Map<string, Waiting>, { arrival_time, recipients }: Entry): void {
  const at = new Date(arrival_time * 1_000);
  const reasons = new Map<string, string>();
  for (const { address, delay_reason = '' } of recipients) {
    const domain = String(address).split('@').at(-1)!.toLowerCase();
    if (!reasons.get(domain)) reasons.set(domain, plain(String(delay_reason)));
  }
  for (const [domain, reason] of reasons) {
    const known = domains.get(domain);
    if (!known) {
      if (domains.size < mostDomains) domains.set(domain, { messages: 1, oldest: at, reason });
    } else {
      known.messages += 1;
      if (at < known.oldest || known.reason === '')
        Object.assign(known, { oldest: at < known.oldest ? at : known.oldest, reason });
    }
  }
}

/** Mail servers elsewhere wrote it. */
const plain = (reason: string) => reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
