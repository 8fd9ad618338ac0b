import { setImmediate } from 'node:timers/promises';
import {
  ixfrRecords,
  type Message,
  RCODE,
  type RR,
  type RRset,
  rrsOf,
  serialIsNewer,
  soaSerial,
  TsigStreamSigner,
  transferMessagesAsync,
} from '@namehold/dns';
import { allTenants, type Database, inSnapshot } from '@namehold/postgres';
import type { TcpSend } from '../sockets/tcp.ts';
import { refusal, type Signature, signed, soaAnswer } from './answers.ts';
import type { Content, WholeContent } from './content.ts';

interface TransferRequest {
  readonly message: Message;
  readonly signature: Signature;
  readonly content: Content;
  readonly send: TcpSend;
  readonly nowSeconds: () => number;
  /** Called between two messages of one transfer. */
  readonly failpoint: (label: string) => void;
}

/** `steps`: incremental (RFC 1995); `current`: the client is up to date. Metrics have them as labels. */
export type TransferKind = 'full' | 'steps' | 'current' | 'refused';

/** A longer snapshot would delay vacuum of the database. */
const MAX_TRANSFER_SECONDS = 900;

/** The transfer was aborted; the client sees a closed connection and retries. */
class TransferAborted extends Error {
  override name = 'BrokenOff';
}

/** RFC 5936, RFC 1995. */
export async function transfer(db: Database, request: TransferRequest): Promise<TransferKind> {
  const { message, content } = request;
  const reader = db.as(allTenants);
  if (message.question[0]!.type === 'IXFR') {
    const kind = await increment(request, await content.head(reader));
    if (kind) return kind;
  }
  const whole = await content.readIfSmall(reader);
  if (whole === undefined) return refuse(request, RCODE.NOTAUTH);
  if (whole !== 'too_large') await sendWhole(request, whole);
  else await streamWhole(db, request);
  return 'full';
}

/** Undefined: the client needs the whole zone. */
async function increment(
  request: TransferRequest,
  head: Awaited<ReturnType<Content['head']>>,
): Promise<TransferKind | undefined> {
  if (!head) return refuse(request, RCODE.NOTAUTH);
  const held = request.message.authority.find((rr) => rr.type === 'SOA');
  if (!held) return refuse(request, RCODE.FORMERR);
  const heldSerial = soaSerial(held);
  if (!serialIsNewer(head.serial, heldSerial)) {
    await reply(request, soaAnswer(request.message, head.soa));
    return 'current';
  }
  const steps = await head.stepsFrom(heldSerial);
  if (!steps || steps.length === 0) return undefined;
  await sendAll(request, ixfrRecords(soaRR(head.soa), steps));
  return 'steps';
}

async function refuse(request: TransferRequest, rcode: number): Promise<TransferKind> {
  await reply(request, refusal(request.message, rcode));
  return 'refused';
}

function reply({ send, signature, nowSeconds }: TransferRequest, answer: Message): Promise<void> {
  return send(signed(answer, signature, nowSeconds()));
}

async function streamWhole(db: Database, request: TransferRequest): Promise<void> {
  await inSnapshot(db, async (tx) => {
    const whole = await request.content.stream(tx);
    if (!whole) return void (await refuse(request, RCODE.NOTAUTH));
    try {
      await sendWhole(request, whole);
    } catch (error) {
      // A retried transaction would send its first messages twice.
      throw new TransferAborted('the transfer was interrupted', { cause: error });
    }
  });
}

/** RFC 5936 2.2: SOA first, then everything else, then the same SOA. */
function sendWhole(request: TransferRequest, { soa, records }: WholeContent): Promise<void> {
  const ends = soaRR(soa);
  const rrs = (async function* () {
    yield ends;
    yield* records;
    yield ends;
  })();
  return sendAll(request, rrs);
}

async function sendAll(request: TransferRequest, rrs: Iterable<RR> | AsyncIterable<RR>): Promise<void> {
  const { message, signature, nowSeconds } = request;
  const startedAt = nowSeconds();
  const head = { id: message.id, question: message.question[0]!, timeSeconds: nowSeconds };
  const answer = signature ? { ...head, signer: new TsigStreamSigner(signature.key, signature.record.mac) } : head;
  let isSending = false;
  for await (const octets of transferMessagesAsync(answer, rrs)) {
    if (isSending) request.failpoint('transfer.sending');
    if (nowSeconds() - startedAt > MAX_TRANSFER_SECONDS) throw new TransferAborted('the client is too slow');
    await request.send(octets);
    isSending = true;
    // Yields to the event loop, because writes to a fast client never wait.
    await setImmediate();
  }
}

function soaRR(soa: RRset): RR {
  return [...rrsOf(soa)][0]!;
}
