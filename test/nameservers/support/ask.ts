import { connect } from 'node:net';
import { type Message, plainEdns, query, type RR, readMessage, recordText, writeMessage } from '@namehold/dns';
import { DnsClient, type QueryTarget } from '../../../packages/server/src/nameservers/publish/dns-client.ts';
import { framed, TcpFrames } from '../../../packages/server/src/nameservers/sockets/tcp-frames.ts';

const asker = new DnsClient('127.0.0.1');

/** For a query that is repeated until the answer is right: without a listener it is lost without an error. */
export const askAgainMs = 1_000;

export async function askUdp(
  at: QueryTarget,
  name: string,
  type: string,
  timeoutMs = 10_000,
  recursionDesired = false,
): Promise<Message | undefined> {
  const build = (id: number) => {
    const message = query(id, name, type, plainEdns());
    return writeMessage({ ...message, flags: { ...message.flags, recursionDesired } });
  };
  const answer = await asker.exchange(at, build, timeoutMs);
  return answer && readMessage(answer);
}

/** Sends raw octets over TCP and reads until `count` messages came or the server closed. */
export async function talkTcp(at: QueryTarget, requests: readonly Uint8Array[], count: number): Promise<Buffer[]> {
  const socket = connect(at.port, at.address);
  const frames = new TcpFrames();
  const answers: Buffer[] = [];
  for (const request of requests) socket.write(framed(request));
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      for (const message of frames.take(chunk)) answers.push(Buffer.from(message));
      if (answers.length >= count) break;
    }
  } finally {
    socket.destroy();
  }
  return answers;
}

/** "The same answer": rdata, TTL, rcode and AA; the order of records is not guaranteed. */
export function summary(message: Message): string {
  const text = (rr: RR) => `${rr.name.toLowerCase()} ${rr.ttl} ${rr.type} ${recordText(rr.type, rr.rdata)}`;
  return [`rcode ${message.rcode} aa ${message.flags.authoritative}`, ...message.answer.map(text).sort()].join('\n');
}

/** Repeats the query until the answer is as expected. */
export async function until<T>(
  what: string,
  look: () => Promise<T>,
  isRight: (found: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let delayMs = 5; ; delayMs = Math.min(delayMs * 1.5, 250)) {
    const found = await look();
    if (isRight(found)) return found;
    if (performance.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(found)?.slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
  }
}
