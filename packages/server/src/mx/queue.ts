import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** About 60,000 messages; the rest is not read. */
const mostOctets = 32 * 1024 * 1024;
const mostDomains = 10_000;
const timeoutMs = 30_000;

/** Queued messages for one domain. */
interface Waiting {
  messages: number;
  oldest: Date;
  /** The last error of the oldest message. */
  reason: string;
}

/** Messages in the queue of Postfix. */
export interface Queue {
  readonly messages: number;
  readonly oldest: Date | undefined;
  /** By recipient domain. */
  readonly domains: ReadonlyMap<string, Waiting>;
  /** False: the queue was too long to be read completely. */
  readonly isWhole: boolean;
}

interface Entry {
  readonly arrival_time: number;
  readonly recipients: readonly { readonly address: string; readonly delay_reason?: string }[];
}

/** Parses the output of `postqueue -j`, one message on each line. Throws if the program fails. */
export function readQueue([program, ...parameters]: readonly string[]): Promise<Queue> {
  return new Promise((resolve, reject) => {
    const domains = new Map<string, Waiting>();
    let messages = 0;
    let octets = 0;
    let isWhole = true;
    const child = spawn(program!, [...parameters, '-j'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const enough = () => {
      isWhole = false;
      child.kill('SIGKILL');
      // Does not wait for another process that holds the pipe open.
      child.stdout.destroy();
    };
    const limit = setTimeout(enough, timeoutMs);
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

/** The last line of truncated output is incomplete. */
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

/** Text of foreign mail servers, so it is cleaned. */
const plain = (reason: string) => reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200);
