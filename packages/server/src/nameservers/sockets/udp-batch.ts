import { isIPv6 } from 'node:net';
import { endianness } from 'node:os';
import { ipv4Text, ipv6Text, parseIpv4, parseIpv6 } from '@namehold/dns';
import type { UdpAnswer, UdpFrom } from './udp.ts';

/** System calls that Node lacks, by the names of their manual pages. Each returns -1 on failure. */
interface SystemCalls {
  socket(family: number, kind: number, protocol: number): number;
  setsockopt(descriptor: number, level: number, option: number, value: bigint, length: number): number;
  bind(descriptor: number, address: bigint, length: number): number;
  close(descriptor: number): number;
  recvmmsg(descriptor: number, heads: bigint, count: number, flags: number, timeout: bigint): number;
  sendmmsg(descriptor: number, heads: bigint, count: number, flags: number): number;
  /** The address of the buffer, valid while a reference to `memory` is kept. */
  pointer(memory: Buffer | Uint32Array): bigint;
}

/** Undefined: not supported by this Node or system. */
async function systemCalls(): Promise<SystemCalls | undefined> {
  try {
    const { dlopen, getRawPointer } = await import('node:ffi');
    const { functions } = dlopen(null, {
      socket: { return: 'int32', arguments: ['int32', 'int32', 'int32'] },
      setsockopt: { return: 'int32', arguments: ['int32', 'int32', 'int32', 'pointer', 'uint32'] },
      bind: { return: 'int32', arguments: ['int32', 'pointer', 'uint32'] },
      close: { return: 'int32', arguments: ['int32'] },
      recvmmsg: { return: 'int32', arguments: ['int32', 'pointer', 'uint32', 'int32', 'pointer'] },
      sendmmsg: { return: 'int32', arguments: ['int32', 'pointer', 'uint32', 'int32'] },
    });
    return { ...functions, pointer: (memory) => getRawPointer(memory) };
  } catch {
    return undefined;
  }
}

/** A larger batch would delay TCP and zone changes. */
const SLOTS = 64;
/** Longer than any query in practice. A truncated one is answered as malformed. */
const SLOT_OCTETS = 4_096;
const ADDRESS_OCTETS = 28;

// Layouts of struct mmsghdr and struct iovec on 64-bit Linux, in 32-bit words.
const HEAD_WORDS = 16;
const HEAD_OCTETS = 4 * HEAD_WORDS;
const NAME_LENGTH = 2;
const MESSAGE_LENGTH = 14;
const VECTOR_WORDS = 4;
const VECTOR_OCTETS = 4 * VECTOR_WORDS;
const VECTOR_LENGTH = 2;

const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_DGRAM = 2;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_REUSEPORT = 15;
const MSG_DONTWAIT = 0x40;
/** Smaller buffers may be inside a JavaScript heap object that moves. */
const STABLE_WORDS = 64;

/**
 * Receives waiting datagrams and sends their responses by one system call each (recvmmsg, sendmmsg). Node's handling of a single
 * datagram costs several times the answer itself. The buffers are allocated once and never move.
 */
export class UdpBatch {
  readonly descriptor: number;
  readonly #calls: SystemCalls;
  readonly #heads = new Uint32Array(SLOTS * HEAD_WORDS);
  readonly #vectors = new Uint32Array(SLOTS * VECTOR_WORDS);
  readonly #addresses = Buffer.alloc(SLOTS * ADDRESS_OCTETS);
  readonly #octets = Buffer.alloc(SLOTS * SLOT_OCTETS);
  readonly #headPointers: readonly bigint[];
  readonly #from = { address: '', port: 0 };
  #lastV4 = -1;
  #slot = -1;

  /** Undefined: not supported, or the address cannot be bound. Then Node's own socket is used, which reports the reason. */
  static async open(host: string, port: number, sharesPort: boolean): Promise<UdpBatch | undefined> {
    if (process.platform !== 'linux' || endianness() !== 'LE' || !/64$/.test(process.arch)) return undefined;
    const calls = await systemCalls();
    if (!calls) return undefined;
    const family = isIPv6(host) ? AF_INET6 : AF_INET;
    const descriptor = calls.socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return undefined;
    const isShared = !sharesPort || setOption(calls, descriptor, SO_REUSEPORT, 1);
    const address = socketAddress(host, port);
    if (isShared && calls.bind(descriptor, calls.pointer(address), address.length) === 0)
      return new UdpBatch(calls, descriptor);
    calls.close(descriptor);
    return undefined;
  }

  private constructor(calls: SystemCalls, descriptor: number) {
    this.#calls = calls;
    this.descriptor = descriptor;
    const [heads, vectors] = [calls.pointer(this.#heads), calls.pointer(this.#vectors)];
    const [addresses, octets] = [calls.pointer(this.#addresses), calls.pointer(this.#octets)];
    const headWords = new BigUint64Array(this.#heads.buffer);
    const vectorWords = new BigUint64Array(this.#vectors.buffer);
    this.#headPointers = Array.from({ length: SLOTS }, (_, slot) => heads + BigInt(slot * HEAD_OCTETS));
    for (let slot = 0; slot < SLOTS; slot++) {
      const [head, vector] = [(slot * HEAD_WORDS) / 2, (slot * VECTOR_WORDS) / 2];
      headWords[head] = addresses + BigInt(slot * ADDRESS_OCTETS);
      headWords[head + 2] = vectors + BigInt(slot * VECTOR_OCTETS);
      headWords[head + 3] = 1n;
      vectorWords[vector] = octets + BigInt(slot * SLOT_OCTETS);
    }
  }

  /** After Node has taken over the descriptor. */
  keepPort(): void {
    setOption(this.#calls, this.descriptor, SO_REUSEADDR, 0);
  }

  /** `answer` must call `send` before it returns, or not at all. */
  answerWaiting(answer: UdpAnswer): void {
    const count = this.#receive();
    for (let slot = 0; slot < count; slot++) {
      const start = slot * SLOT_OCTETS;
      const length = this.#heads[slot * HEAD_WORDS + MESSAGE_LENGTH]!;
      this.#vectors[slot * VECTOR_WORDS + VECTOR_LENGTH] = 0;
      this.#slot = slot;
      answer(this.#octets.subarray(start, start + length), this.#sender(slot), this.#put);
    }
    this.#slot = -1;
    this.#send(count);
  }

  #receive(): number {
    for (let slot = 0; slot < SLOTS; slot++) {
      this.#heads[slot * HEAD_WORDS + NAME_LENGTH] = ADDRESS_OCTETS;
      this.#vectors[slot * VECTOR_WORDS + VECTOR_LENGTH] = SLOT_OCTETS;
    }
    return this.#calls.recvmmsg(this.descriptor, this.#headPointers[0]!, SLOTS, MSG_DONTWAIT, 0n);
  }

  /** The response overwrites the query. */
  readonly #put = (octets: Uint8Array): void => {
    if (this.#slot < 0 || octets.length > SLOT_OCTETS) return;
    this.#octets.set(octets, this.#slot * SLOT_OCTETS);
    this.#vectors[this.#slot * VECTOR_WORDS + VECTOR_LENGTH] = octets.length;
  };

  /** Sends contiguous runs. A datagram that cannot be sent is dropped; the client retries. */
  #send(count: number): void {
    let from = 0;
    while (from < count) {
      let to = from;
      while (to < count && this.#vectors[to * VECTOR_WORDS + VECTOR_LENGTH]! > 0) to++;
      const row = to - from;
      const sent = row > 0 ? this.#calls.sendmmsg(this.descriptor, this.#headPointers[from]!, row, MSG_DONTWAIT) : 0;
      // Continues after the sent datagrams and after one that has no response or failed.
      from += Math.max(0, sent) + 1;
    }
  }

  #sender(slot: number): UdpFrom {
    const at = slot * ADDRESS_OCTETS;
    const octets = this.#addresses;
    this.#from.port = octets.readUInt16BE(at + 2);
    if (octets[at] !== AF_INET) {
      this.#lastV4 = -1;
      this.#from.address = ipv6Text(octets.subarray(at + 8, at + 24));
      return this.#from;
    }
    const bits = octets.readUInt32BE(at + 4);
    if (bits !== this.#lastV4) this.#from.address = ipv4Text(octets.subarray(at + 4, at + 8));
    this.#lastV4 = bits;
    return this.#from;
  }
}

function setOption(calls: SystemCalls, descriptor: number, option: number, value: number): boolean {
  const memory = new Uint32Array(STABLE_WORDS);
  memory[0] = value;
  return calls.setsockopt(descriptor, SOL_SOCKET, option, calls.pointer(memory), memory.BYTES_PER_ELEMENT) === 0;
}

/** struct sockaddr_in, or sockaddr_in6. */
function socketAddress(host: string, port: number): Buffer {
  const isV6 = isIPv6(host);
  const octets = Buffer.alloc(4 * STABLE_WORDS).subarray(0, isV6 ? ADDRESS_OCTETS : 16);
  octets.writeUInt16LE(isV6 ? AF_INET6 : AF_INET, 0);
  octets.writeUInt16BE(port, 2);
  octets.set(isV6 ? parseIpv6(host) : parseIpv4(host), isV6 ? 8 : 4);
  return octets;
}
