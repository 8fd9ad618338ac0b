import { CLASS, RCODE } from './code.ts';
import { DnsError } from './error.ts';
import { type Message, query } from './message.ts';
import { isSubdomain, lowerName, type Name } from './name.ts';
import { decodeRdata } from './record.ts';
import type { RR } from './rr.ts';
import { serialIsNewer } from './serial.ts';

/** A difference sequence of RFC 1995. */
interface DifferenceSequence {
  readonly oldSerial: number;
  readonly newSerial: number;
  readonly deleted: readonly RR[];
  readonly added: readonly RR[];
}

export type Transfer =
  | { readonly kind: 'up_to_date'; readonly soa: RR }
  | { readonly kind: 'full'; readonly soa: RR; readonly records: readonly RR[] }
  | { readonly kind: 'incremental'; readonly soa: RR; readonly steps: readonly DifferenceSequence[] };

/** An incomplete or invalid transfer; `rcode` if the server refused. */
export class TransferError extends DnsError {
  override readonly name = 'TransferError';
  readonly rcode: number | undefined;
  constructor(reason: string, rcode?: number) {
    super(reason);
    this.rcode = rcode;
  }
}

export function axfrRequest(id: number, zone: Name): Message {
  return query(id, zone, 'AXFR');
}

/** RFC 1995 3: the client's current SOA is in the authority section. */
export function ixfrRequest(id: number, zone: Name, heldSoa: Uint8Array): Message {
  return {
    ...query(id, zone, 'IXFR'),
    authority: [{ name: zone, type: 'SOA', class: CLASS.IN, ttl: 0, rdata: heldSoa }],
  };
}

export function soaSerial(soa: Pick<RR, 'rdata'>): number {
  return decodeRdata('SOA', soa.rdata).serial;
}

interface OpenStep {
  readonly oldSerial: number;
  newSerial: number | undefined;
  readonly deleted: RR[];
  readonly added: RR[];
}

/** Takes the messages of an AXFR or IXFR answer one by one. `heldSerial` is the serial of the IXFR request. */
export class TransferReader {
  readonly #id: number;
  readonly #zone: Name;
  readonly #heldSerial: number | undefined;
  #soa: RR | undefined;
  #newest = 0;
  #records: RR[] = [];
  #steps: OpenStep[] | undefined;
  #done: Transfer | undefined;

  constructor(request: Message, heldSerial?: number) {
    this.#id = request.id;
    this.#zone = lowerName(request.question[0]?.name ?? '.');
    this.#heldSerial = heldSerial;
  }

  /** The whole transfer after the last message, undefined before. */
  add(message: Message): Transfer | undefined {
    if (!message.flags.response || message.id !== this.#id)
      throw new TransferError('the message is not the answer to our request');
    if (message.rcode !== RCODE.NOERROR)
      throw new TransferError(`the server answered rcode ${message.rcode}`, message.rcode);
    for (const rr of message.answer) {
      if (this.#done) throw new TransferError('records follow after the end of the transfer');
      this.#take(rr);
    }
    if (!this.#done && this.#isLoneSoa(message)) this.#done = { kind: 'up_to_date', soa: this.#soa! };
    return this.#done;
  }

  #isLoneSoa(message: Message): boolean {
    if (this.#heldSerial === undefined || message.answer.length !== 1) return false;
    return this.#records.length === 0 && !this.#steps && !serialIsNewer(this.#newest, this.#heldSerial);
  }

  #take(rr: RR): void {
    if (!isSubdomain(rr.name, this.#zone)) throw new TransferError(`${rr.name} is not in the zone ${this.#zone}`);
    const soaHere = rr.type === 'SOA';
    if (soaHere && lowerName(rr.name) !== this.#zone) throw new TransferError('an SOA of another zone');
    if (!this.#soa) {
      if (!soaHere) throw new TransferError('the first record is not an SOA');
      this.#soa = rr;
      this.#newest = soaSerial(rr);
    } else if (this.#steps) this.#takeStep(this.#steps, rr);
    else if (soaHere) this.#secondSoa(rr);
    else this.#records.push(rr);
  }

  #secondSoa(rr: RR): void {
    const serial = soaSerial(rr);
    if (this.#heldSerial !== undefined && this.#records.length === 0 && serial !== this.#newest) {
      this.#steps = [{ oldSerial: serial, newSerial: undefined, deleted: [], added: [] }];
    } else if (serial === this.#newest) this.#done = { kind: 'full', soa: this.#soa!, records: this.#records };
    else throw new TransferError('the last SOA differs from the first');
  }

  #takeStep(steps: OpenStep[], rr: RR): void {
    const step = steps.at(-1)!;
    if (rr.type !== 'SOA') {
      (step.newSerial === undefined ? step.deleted : step.added).push(rr);
      return;
    }
    const serial = soaSerial(rr);
    if (step.newSerial === undefined) {
      step.newSerial = serial;
      return;
    }
    if (step.newSerial === this.#newest && serial === this.#newest) {
      const finished = steps.map((each) => ({ ...each, newSerial: each.newSerial ?? this.#newest }));
      this.#done = { kind: 'incremental', soa: this.#soa!, steps: finished };
      return;
    }
    if (serial !== step.newSerial)
      throw new TransferError(`IXFR difference sequences are not contiguous: serial ${serial} after ${step.newSerial}`);
    steps.push({ oldSerial: serial, newSerial: undefined, deleted: [], added: [] });
  }
}
