import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';

export interface QueryTarget {
  readonly address: string;
  readonly port: number;
}

const ID_COUNT = 65_536;
const RESPONSE_BIT = 0x80;

/** Sends single queries over UDP and waits for their responses. */
export class DnsClient {
  readonly #sockets = new Map<4 | 6, Promise<Socket>>();
  readonly #waiting = new Map<string, (answer: Buffer | undefined) => void>();
  readonly #from: string;
  #isClosed = false;

  /** `from`: the source address that peers expect; with a wildcard the system chooses it. */
  constructor(from: string) {
    this.#from = from;
  }

  /** Undefined: timeout. `build` gets the id for the query. */
  async exchange(
    target: QueryTarget,
    build: (id: number) => Uint8Array,
    timeoutMs: number,
  ): Promise<Buffer | undefined> {
    const socket = await this.#socket(isIP(target.address) === 6 ? 6 : 4);
    const id = this.#freeId(target);
    const key = waitKey(id, target);
    const octets = build(id);
    return new Promise((resolve) => {
      const finish = (answer: Buffer | undefined) => {
        clearTimeout(timer);
        this.#waiting.delete(key);
        resolve(answer);
      };
      const timer = setTimeout(() => finish(undefined), timeoutMs).unref();
      this.#waiting.set(key, finish);
      if (this.#isClosed) finish(undefined);
      else socket.send(octets, target.port, target.address, (error) => error && finish(undefined));
    });
  }

  #freeId(target: QueryTarget): number {
    let id = randomInt(ID_COUNT);
    while (this.#waiting.has(waitKey(id, target))) id = (id + 1) % ID_COUNT;
    return id;
  }

  #socket(family: 4 | 6): Promise<Socket> {
    const open = this.#sockets.get(family) ?? this.#open(family);
    this.#sockets.set(family, open);
    return open;
  }

  async #open(family: 4 | 6): Promise<Socket> {
    const socket = createSocket({ type: family === 4 ? 'udp4' : 'udp6', recvBufferSize: 1_048_576 });
    socket.on('message', (answer, from) => {
      if (answer.length < 12 || (answer[2]! & RESPONSE_BIT) === 0) return;
      this.#waiting.get(waitKey(answer.readUInt16BE(0), from))?.(answer);
    });
    const isOwn = isIP(this.#from) === family && this.#from !== '0.0.0.0' && this.#from !== '::';
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ port: 0, ...(isOwn ? { address: this.#from } : {}) }, resolve);
    });
    socket.removeAllListeners('error');
    socket.on('error', () => undefined);
    socket.unref();
    return socket;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const opening of this.#sockets.values()) (await opening).close();
    for (const finish of [...this.#waiting.values()]) finish(undefined);
  }
}

const waitKey = (id: number, { address, port }: QueryTarget) => `${id} ${address} ${port}`;
