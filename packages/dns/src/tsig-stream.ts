import {
  checkTsig,
  computeMac,
  fullVariables,
  macPrefix,
  signMessage,
  type TsigRefusal,
  unsignedRecord,
} from './tsig.ts';
import { appendTsig, type TsigKey, type TsigRecord, tsigOrFault } from './tsig-record.ts';
import { Writer } from './wire.ts';

/** RFC 8945 5.3.1: after the first message only the times are signed with the octets. */
function timersOnly(record: TsigRecord): Uint8Array {
  const writer = new Writer();
  writer.u48(record.timeSigned);
  writer.u16(record.fudgeSeconds);
  return writer.finish();
}

/** Signs the messages of one answer over TCP; every MAC includes the previous one. */
export class TsigStreamSigner {
  readonly #key: TsigKey;
  #previousMac: Uint8Array;
  #first = true;

  constructor(key: TsigKey, requestMac: Uint8Array) {
    this.#key = key;
    this.#previousMac = requestMac;
  }

  sign(message: Uint8Array, timeSeconds: number): Uint8Array {
    if (this.#first) {
      this.#first = false;
      const signed = signMessage(message, this.#key, { timeSeconds, requestMac: this.#previousMac });
      this.#previousMac = signed.mac;
      return signed.octets;
    }
    const record = unsignedRecord(message, this.#key, { timeSeconds });
    const mac = computeMac(this.#key, [macPrefix(this.#previousMac), message, timersOnly(record)]);
    this.#previousMac = mac;
    return appendTsig(message, { ...record, mac });
  }
}

/** RFC 8945 5.3.1: at least every 100th message is signed. */
const MAX_UNSIGNED_RUN = 99;

type StreamResult =
  | { readonly state: 'valid'; readonly unsigned: Uint8Array }
  | { readonly state: 'refused'; readonly reason: TsigRefusal };

/** Verifies the messages of one answer over TCP. */
export class TsigStreamVerifier {
  readonly #key: TsigKey;
  #previousMac: Uint8Array;
  #first = true;
  #unsignedRun: Uint8Array[] = [];

  constructor(key: TsigKey, requestMac: Uint8Array) {
    this.#key = key;
    this.#previousMac = requestMac;
  }

  /** True if the last message was signed: a transfer may end only then. */
  get lastWasSigned(): boolean {
    return !this.#first && this.#unsignedRun.length === 0;
  }

  verify(octets: Uint8Array, nowSeconds: number): StreamResult {
    const signed = tsigOrFault(octets);
    if (signed === 'FORMERR') return { state: 'refused', reason: signed };
    if (!signed) return this.#unsigned(octets);
    const { record, unsigned } = signed;
    if (record.keyName !== this.#key.name || record.algorithmName !== `${this.#key.algorithm}.`) {
      return { state: 'refused', reason: 'BADKEY' };
    }
    const variables = this.#first ? fullVariables(record) : timersOnly(record);
    const parts = [macPrefix(this.#previousMac), ...this.#unsignedRun, unsigned, variables];
    const reason = checkTsig(record, this.#key, () => computeMac(this.#key, parts), nowSeconds);
    if (reason !== undefined) return { state: 'refused', reason };
    this.#first = false;
    this.#unsignedRun = [];
    this.#previousMac = record.mac;
    return { state: 'valid', unsigned };
  }

  #unsigned(octets: Uint8Array): StreamResult {
    // RFC 8945 5.3.1: the first message is always signed.
    if (this.#first || this.#unsignedRun.length >= MAX_UNSIGNED_RUN) return { state: 'refused', reason: 'BADSIG' };
    this.#unsignedRun.push(octets);
    return { state: 'valid', unsigned: octets };
  }
}
