import { RecordError, WireError } from '../error.ts';
import { TokenCursor } from '../token.ts';
import type { RecordType } from './record-type.ts';

/** RFC 1876 2, in the units of the wire. */
interface LocRdata {
  readonly sizeCode: number;
  readonly horizontalCode: number;
  readonly verticalCode: number;
  /** Thousandths of an arc second from 2^31. */
  readonly latitude: number;
  readonly longitude: number;
  /** Centimetres above 100,000 m below the reference. */
  readonly altitude: number;
}

const EQUATOR = 0x8000_0000;
const ALTITUDE_BASE_CM = 10_000_000;
const MAX_ALTITUDE_CM = 4_284_967_295;
const MAX_SIZE_CM = 9_000_000_000;
const DEFAULT_SIZE_CM = 100;
const DEFAULT_HORIZONTAL_CM = 1_000_000;
const DEFAULT_VERTICAL_CM = 1_000;
const SECOND = 1000;
const DEGREE = 3_600_000;

function parseAngle(words: TokenCursor, field: string, maxDegrees: number, signs: string): number {
  const parts = [Number.NaN, 0, 0];
  for (let at = 0; at < 3; at++) {
    const text = words.peek()?.text ?? '';
    if (at > 0 && !/^\d/.test(text)) break;
    const form = at === 2 ? /^\d{1,2}(?:\.\d{1,3})?$/ : /^\d{1,3}$/;
    if (!form.test(words.word(field))) throw new RecordError(field, `"${text}" is not degrees, minutes or seconds`);
    parts[at] = Number(text);
  }
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  const angle = Math.round(degrees * DEGREE + minutes * 60 * SECOND + seconds * SECOND);
  if (minutes > 59 || seconds >= 60 || angle > maxDegrees * DEGREE) throw new RecordError(field, 'is out of range');
  const side = words.word(field).toUpperCase();
  if (side === signs[0]) return EQUATOR + angle;
  if (side === signs[1]) return EQUATOR - angle;
  throw new RecordError(field, `"${side}" is not ${signs[0]} or ${signs[1]}`);
}

function parseCentimetres(text: string, field: string): number {
  const match = /^(-?)(\d{1,8})(?:\.(\d{1,2}))?m?$/i.exec(text);
  if (!match) throw new RecordError(field, `"${text}" is not metres with at most two decimals`);
  const centimetres = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' ? -centimetres : centimetres;
}

/** RFC 1876 2: a size is one decimal digit and a power of ten, in centimetres. Further digits are dropped. */
function parseSize(words: TokenCursor, field: string, defaultCm: number): number {
  const centimetres = words.left > 0 ? parseCentimetres(words.word(field), field) : defaultCm;
  if (centimetres < 0 || centimetres > MAX_SIZE_CM) throw new RecordError(field, 'is out of range');
  const power = centimetres === 0 ? 0 : String(centimetres).length - 1;
  return (Number(String(centimetres)[0]) << 4) | power;
}

function sizeText(code: number): string {
  return `${(((code >> 4) * 10 ** (code & 15)) / 100).toFixed(2)}m`;
}

function angleText(value: number, signs: string): string {
  const angle = Math.abs(value - EQUATOR);
  const degrees = Math.floor(angle / DEGREE);
  const minutes = Math.floor((angle % DEGREE) / (60 * SECOND));
  const seconds = ((angle % (60 * SECOND)) / SECOND).toFixed(3);
  return `${degrees} ${minutes} ${seconds} ${value >= EQUATOR ? signs[0] : signs[1]}`;
}

function check(rdata: LocRdata): void {
  if (Math.abs(rdata.latitude - EQUATOR) > 90 * DEGREE) throw new RecordError('latitude', 'is out of range');
  if (Math.abs(rdata.longitude - EQUATOR) > 180 * DEGREE) throw new RecordError('longitude', 'is out of range');
  for (const code of [rdata.sizeCode, rdata.horizontalCode, rdata.verticalCode]) {
    if (code >> 4 > 9 || (code & 15) > 9) throw new RecordError('size', 'is not a decimal digit and power');
  }
}

/** RFC 1876 */
export const LOC: RecordType<LocRdata> = {
  type: 'LOC',
  code: 29,
  check,
  warn: () => [],
  parseText: (tokens) => {
    const words = new TokenCursor(tokens);
    const latitude = parseAngle(words, 'latitude', 90, 'NS');
    const longitude = parseAngle(words, 'longitude', 180, 'EW');
    const altitude = parseCentimetres(words.word('altitude'), 'altitude') + ALTITUDE_BASE_CM;
    if (altitude < 0 || altitude > MAX_ALTITUDE_CM + ALTITUDE_BASE_CM)
      throw new RecordError('altitude', 'is out of range');
    const sizeCode = parseSize(words, 'size', DEFAULT_SIZE_CM);
    const horizontalCode = parseSize(words, 'horizontal', DEFAULT_HORIZONTAL_CM);
    const verticalCode = parseSize(words, 'vertical', DEFAULT_VERTICAL_CM);
    words.expectEnd();
    return { sizeCode, horizontalCode, verticalCode, latitude, longitude, altitude };
  },
  toText: (rdata) => {
    const altitude = ((rdata.altitude - ALTITUDE_BASE_CM) / 100).toFixed(2);
    const place = `${angleText(rdata.latitude, 'NS')} ${angleText(rdata.longitude, 'EW')} ${altitude}m`;
    return `${place} ${sizeText(rdata.sizeCode)} ${sizeText(rdata.horizontalCode)} ${sizeText(rdata.verticalCode)}`;
  },
  toWire: (rdata, writer) => {
    writer.u8(0);
    writer.u8(rdata.sizeCode);
    writer.u8(rdata.horizontalCode);
    writer.u8(rdata.verticalCode);
    writer.u32(rdata.latitude);
    writer.u32(rdata.longitude);
    writer.u32(rdata.altitude);
  },
  fromWire: (reader) => {
    const version = reader.u8();
    if (version !== 0) throw new WireError(`LOC version ${version} is unknown`, reader.offset);
    const [sizeCode, horizontalCode, verticalCode] = [reader.u8(), reader.u8(), reader.u8()];
    const rdata = {
      sizeCode,
      horizontalCode,
      verticalCode,
      latitude: reader.u32(),
      longitude: reader.u32(),
      altitude: reader.u32(),
    };
    reader.expectEnd('LOC rdata');
    return rdata;
  },
};
