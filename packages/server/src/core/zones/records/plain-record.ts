import {
  decodeRdata,
  lowerName,
  type Name,
  parseRecord,
  type RecordData,
  type RRset,
  rawFromText,
  recordFromRawText,
} from '@namehold/dns';

/** Types that users edit one at a time: a value, and numbers if the type has them. */
export const plainTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type PlainType = (typeof plainTypes)[number];

/** One record in its simple form: host names without their final dot, text without quotes. */
export interface PlainRecord {
  readonly type: PlainType;
  readonly name: Name;
  readonly ttl: number;
  readonly value: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly port?: number;
}

export interface RecordNumbers {
  readonly priority?: number | undefined;
  readonly weight?: number | undefined;
  readonly port?: number | undefined;
}

/** Host names without their final dot, as control panels show and send them. */
function shownName(name: Name): string {
  return name === '.' ? name : name.replace(/\.$/, '');
}

export function plainRecord(set: Pick<RRset, 'name' | 'ttl'>, type: PlainType, record: RecordData): PlainRecord {
  const base = { type, name: set.name, ttl: set.ttl };
  if (type === 'MX') {
    const { preference, exchange } = decodeRdata('MX', record.wire);
    return { ...base, value: shownName(lowerName(exchange)), priority: preference };
  }
  if (type === 'SRV') {
    const { priority, weight, port, target } = decodeRdata('SRV', record.wire);
    return { ...base, value: shownName(lowerName(target)), priority, weight, port };
  }
  if (type === 'TXT') return { ...base, value: rawFromText(decodeRdata('TXT', record.wire)) };
  return { ...base, value: type === 'A' || type === 'AAAA' ? record.text : shownName(record.text) };
}

/** Strings in quotes, as master files have them; every other TXT value is raw. */
const quotedForm = /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s;

const defaultPriority = 10;

/** Throws RecordError or NameError. */
export function readPlain(type: PlainType, value: string, numbers: RecordNumbers, origin: Name): RecordData {
  const context = { origin, dotless: 'absolute-if-dotted' } as const;
  const { priority = defaultPriority, weight = 0, port = 0 } = numbers;
  const parsed = (text: string) => {
    const { wire, text: canonical } = parseRecord(type, text, context);
    return { text: canonical, wire };
  };
  if (type === 'MX') return parsed(`${priority} ${value}`);
  if (type === 'SRV') return parsed(`${priority} ${weight} ${port} ${value}`);
  if (type !== 'TXT' || quotedForm.test(value)) return parsed(value);
  const { wire, text } = recordFromRawText(value);
  return { text, wire };
}

/** Whether this is the record with the given value, in any equivalent notation. */
export function meansRecord(shown: PlainRecord, value: string, origin: Name): boolean {
  if (shown.value === value) return true;
  try {
    const meant = readPlain(shown.type, value, shown, origin);
    return plainRecord(shown, shown.type, meant).value === shown.value;
  } catch {
    return false;
  }
}
