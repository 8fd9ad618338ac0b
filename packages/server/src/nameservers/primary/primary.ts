import type { Clock } from '@namehold/base';
import {
  answerQuery,
  CLASS,
  DnsError,
  lowerName,
  type Message,
  OPCODE,
  RCODE,
  readMessage,
  refusalAnswer,
  ZoneTable,
} from '@namehold/dns';
import type { Database } from '@namehold/postgres';
import { allTenants } from '@namehold/postgres';
import type { Log } from '../../core/app-context.ts';
import { type Endpoint, openEndpoint } from '../sockets/endpoint.ts';
import { ClientGone, type TcpLimits, type TcpSend } from '../sockets/tcp.ts';
import { refusal, type Signature, signed, soaAnswer } from './answers.ts';
import { catalogContent } from './catalog-content.ts';
import type { Content } from './content.ts';
import { Semaphore } from './semaphore.ts';
import { type TransferKind, transfer } from './transfer.ts';
import type { TransferAcl } from './transfer-acl.ts';
import { zoneContent } from './zone-content.ts';

interface PrimaryOptions {
  readonly host: string;
  readonly port: number;
  readonly db: Database;
  readonly acl: TransferAcl;
  readonly catalogName: string;
  readonly wall: Clock;
  readonly log: Log;
  /** Failpoint for recovery tests. */
  readonly failpoint: (label: string) => void;
  /** Transfers that may hold a database connection at once. */
  readonly maxTransfers: number;
  count?(kind: TransferKind | 'soa' | 'failed'): void;
}

const PRIMARY_TCP_LIMITS: TcpLimits = { maxConnections: 1_024, maxConnectionsPerAddress: 512, idleMs: 30_000 };
const MAX_WAITING = 10_000;
const noZones = new ZoneTable();

/** The hidden primary: serves serials and content of zones to configured nameservers only. */
export function startPrimary(options: PrimaryOptions): Promise<Endpoint> {
  const primary = new Primary(options);
  const { host, port, log } = options;
  return openEndpoint({
    host,
    port,
    limits: PRIMARY_TCP_LIMITS,
    onError: (error) => log.warn({ err: error }, 'hidden primary request failed'),
    answerUdp(request, from, send) {
      // A datagram that cannot be answered is treated as lost.
      primary.answer(request, from.address, 'udp', async (octets) => send(octets)).catch(() => undefined);
    },
    answerTcp: (request, address, send) => primary.answer(request, address, 'tcp', send),
  });
}

interface Authorised {
  readonly message: Message;
  readonly signature: Signature;
}

class Primary {
  readonly #options: PrimaryOptions;
  readonly #transfers: Semaphore;
  readonly #queries: Semaphore;

  constructor(options: PrimaryOptions) {
    this.#options = options;
    this.#transfers = new Semaphore(options.maxTransfers, MAX_WAITING);
    this.#queries = new Semaphore(options.maxTransfers, MAX_WAITING);
  }

  #nowSeconds = (): number => Math.floor(this.#options.wall.now().getTime() / 1_000);

  async answer(octets: Buffer, address: string, transport: 'udp' | 'tcp', send: TcpSend): Promise<void> {
    const authorised = this.#authorise(octets, address);
    if (!('message' in authorised)) {
      if (authorised.answer) await send(authorised.answer);
      return;
    }
    const { message, signature } = authorised;
    const question = message.question[0];
    const reply = (answer: Message) => send(signed(answer, signature, this.#nowSeconds()));
    const isTransfer = question?.type === 'AXFR' || question?.type === 'IXFR';
    if (message.opcode !== OPCODE.QUERY) return reply(refusal(message, RCODE.NOTIMP));
    if (message.question.length !== 1 || question?.class !== CLASS.IN) return reply(refusal(message, RCODE.FORMERR));
    // RFC 5936 4.2: no AXFR over UDP. RFC 1995 2: an IXFR over UDP may be answered by the SOA alone; the client then uses TCP.
    if (question.type === 'AXFR' && transport === 'udp') return reply(refusal(message, RCODE.REFUSED));
    if (!isTransfer && question.type !== 'SOA') return reply(refusal(message, RCODE.REFUSED));
    let hasSent = false;
    const sendOn: TcpSend = (answer) => {
      hasSent = true;
      return send(answer);
    };
    try {
      if (isTransfer && transport === 'tcp') await this.#transfer(authorised, lowerName(question.name), sendOn);
      else await reply(await this.#soa(message, lowerName(question.name)));
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      this.#options.count?.('failed');
      // After the first message of a transfer, a failure can only be reported by closing the connection.
      if (hasSent) throw error;
      this.#options.log.warn({ err: error }, 'hidden primary failed to read a zone');
      await reply(refusal(message, RCODE.SERVFAIL));
    }
  }

  #authorise(octets: Buffer, address: string): Authorised | { answer: Uint8Array | undefined } {
    const now = this.#nowSeconds();
    const result = this.#options.acl.verify(octets, address, now);
    if (result.state === 'refused') return { answer: refusalAnswer(octets, result, now) };
    const isAllowed = result.state === 'valid' || this.#options.acl.allowsUnsigned(address);
    // A responder without zones refuses every query and handles malformed ones.
    const refused = () => ({ answer: answerQuery(noZones, octets, { transport: 'tcp' }) });
    if (!isAllowed) return refused();
    try {
      const message = readMessage(result.state === 'valid' ? result.unsigned : octets);
      if (message.flags.response) return { answer: undefined };
      return { message, signature: result.state === 'valid' ? result : undefined };
    } catch (error) {
      if (error instanceof DnsError) return refused();
      throw error;
    }
  }

  #content(zone: string): Content {
    return zone === this.#options.catalogName ? catalogContent(zone) : zoneContent(zone);
  }

  async #soa(message: Message, zone: string): Promise<Message> {
    const db = this.#options.db.as(allTenants);
    const head = await this.#queries.run(() => this.#content(zone).head(db));
    this.#options.count?.('soa');
    return head ? soaAnswer(message, head.soa) : refusal(message, RCODE.REFUSED);
  }

  async #transfer({ message, signature }: Authorised, zone: string, send: TcpSend): Promise<void> {
    const { db, failpoint } = this.#options;
    const request = { message, signature, content: this.#content(zone), send, nowSeconds: this.#nowSeconds, failpoint };
    const kind = await this.#transfers.run(() => transfer(db, request));
    this.#options.count?.(kind);
  }
}
