import type { Database, Tx } from '@namehold/base';
import {
  axfrRecords,
  ixfrRecords,
  type JournalStep,
  type Message,
  RCODE,
  type RR,
  rrsOf,
  serialIsNewer,
  soaSerial,
  TsigStreamSigner,
  transferMessages,
  transferMessagesAsync,
} from '@namehold/dns';
import { inSnapshot } from '../snapshot.ts';
import type { TcpSend } from '../sockets/tcp.ts';
import { refusal, type Signature, sealed, soaAnswer } from './answers.ts';
import type { Content, FindContent } from './content.ts';

export interface TransferRequest {
  readonly message: Message;
  readonly signature: Signature;
  readonly zone: string;
  readonly find: FindContent;
  readonly send: TcpSend;
  readonly nowSeconds: () => number;
  /** Called between two messages of one transfer. */
  readonly point: (label: string) => void;
}

export type TransferKind = 'full' | 'steps' | 'current' | 'refused';

/** Larger contents are sent while they are read; smaller ones are read first, so that a slow client holds no snapshot. */
const SMALL_RECORDS = 5_000;
/** A snapshot held for longer would keep the database from tidying up. */
const MAX_TRANSFER_SECONDS = 900;

/** The transfer stopped half way; the client sees its connection close and asks again. */
class BrokenOff extends Error {
  override name = 'BrokenOff';
}

/** RFC 5936, RFC 1995. */
export async function transfer(db: Database, request: TransferRequest): Promise<TransferKind> {
  let isSending = false;
  const send: TcpSend = async (octets) => {
    if (isSending) request.point('transfer.sending');
    isSending = true;
    await request.send(octets);
  };
  const guarded = { ...request, send };
  const ready = await inSnapshot(db, async (tx) => {
    try {
      return await fromSnapshot(tx, guarded);
    } catch (error) {
      // A transaction that is run again would send its first messages twice.
      throw isSending ? new BrokenOff('the transfer broke off', { cause: error }) : error;
    }
  });
  if (ready.rrs) for (const message of transferMessages(answerHead(request), ready.rrs)) await send(message);
  return ready.kind;
}

interface Ready {
  readonly kind: TransferKind;
  /** What is still to be sent. */
  readonly rrs?: readonly RR[];
}

async function fromSnapshot(tx: Tx, request: TransferRequest): Promise<Ready> {
  const { message, signature, nowSeconds } = request;
  const content = await request.find(tx, request.zone);
  const reply = (answer: Message) => request.send(sealed(answer, signature, nowSeconds()));
  if (!content) {
    await reply(refusal(message, RCODE.NOTAUTH));
    return { kind: 'refused' };
  }
  if (message.question[0]!.type === 'IXFR') {
    const held = message.authority.find((rr) => rr.type === 'SOA');
    if (!held) {
      await reply(refusal(message, RCODE.FORMERR));
      return { kind: 'refused' };
    }
    const heldSerial = soaSerial(held);
    if (!serialIsNewer(content.serial, heldSerial)) {
      await reply(soaAnswer(message, content.soa));
      return { kind: 'current' };
    }
    const steps = await worthwhileSteps(content, heldSerial);
    if (steps) return { kind: 'steps', rrs: [...ixfrRecords(soaRR(content), steps)] };
  }
  if (content.recordCount <= SMALL_RECORDS) return { kind: 'full', rrs: await wholeContent(content) };
  await streamContent(content, request);
  return { kind: 'full' };
}

/** Steps that hold more than the zone itself are no saving. */
async function worthwhileSteps(content: Content, heldSerial: number): Promise<readonly JournalStep[] | undefined> {
  const steps = await content.stepsFrom(heldSerial);
  if (!steps || steps.length === 0) return undefined;
  const moved = steps.reduce((sum, step) => sum + [...step.deleted].length + [...step.added].length, 0);
  return moved <= Math.max(content.recordCount, 100) ? steps : undefined;
}

function soaRR(content: Content): RR {
  return [...rrsOf(content.soa)][0]!;
}

async function wholeContent(content: Content): Promise<RR[]> {
  const rrs: RR[] = [];
  for await (const rr of content.records()) rrs.push(rr);
  return [...axfrRecords(soaRR(content), rrs)];
}

async function streamContent(content: Content, request: TransferRequest): Promise<void> {
  const startedAt = request.nowSeconds();
  const soa = soaRR(content);
  const rrs = (async function* () {
    yield soa;
    yield* content.records();
    yield soa;
  })();
  for await (const octets of transferMessagesAsync(answerHead(request), rrs)) {
    if (request.nowSeconds() - startedAt > MAX_TRANSFER_SECONDS) throw new BrokenOff('the client takes too long');
    await request.send(octets);
  }
}

function answerHead({ message, signature, nowSeconds }: TransferRequest) {
  const head = { id: message.id, question: message.question[0]!, timeSeconds: nowSeconds };
  return signature ? { ...head, signer: new TsigStreamSigner(signature.key, signature.record.mac) } : head;
}
