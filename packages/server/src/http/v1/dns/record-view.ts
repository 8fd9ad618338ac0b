import { z } from 'zod';
import type { Edited } from '../../../core/zones/change/change-zone.ts';
import type { PlainRecord } from '../../../core/zones/records/plain-record.ts';
import { exampleHost, exampleValue } from './record-fields.ts';
import { type ContractType, contractTypes } from './record-types.ts';

const base = {
  hostname: z.string().describe('Full host name.'),
  val: z.string(),
  value: z.string().describe('The same as val.'),
  ttl: z.number().describe('Time to live in seconds. An extension of the contract.'),
};
const numbers = { priority: z.string() };

/** Records as in the contract (6.6a): panels read `ip` for addresses, `zone` for mail, and `val` or `value` for all. */
const address = z
  .object({ ...base, ip: z.string() })
  .meta({ id: 'AddressRecord', description: 'An address record of a host.' });
const plain = z.object(base).meta({ id: 'PlainRecord', description: 'A record with only a value.' });
const mail = z
  .object({ zone: z.string(), ...base, ...numbers })
  .meta({ id: 'MailRecord', description: 'A mail exchanger (MX) record.' });
const service = z
  .object({ ...base, ...numbers, weight: z.string(), port: z.string() })
  .meta({ id: 'ServiceRecord', description: 'A service (SRV) record (RFC 2782).' });

const views = { ip: address, ipv6: address, cname: plain, mx: mail, ns: plain, srv: service, txt: plain };

export function recordView(segment: ContractType): z.ZodType {
  return views[segment];
}

type RecordView = {
  readonly hostname: string;
  readonly val: string;
  readonly value: string;
  readonly ttl: number;
} & Readonly<Partial<Record<'ip' | 'zone' | 'priority' | 'weight' | 'port', string>>>;

export function showRecord(record: PlainRecord): RecordView {
  const hostname = record.name.replace(/\.$/, '');
  const view = { hostname, val: record.value, value: record.value, ttl: record.ttl };
  const text = (number: number | undefined) => String(number ?? 0);
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return { ...view, ip: record.value };
    case 'MX':
      return { zone: hostname, ...view, priority: text(record.priority) };
    case 'SRV':
      return { ...view, priority: text(record.priority), weight: text(record.weight), port: text(record.port) };
    default:
      return view;
  }
}

export const showEdited = (edited: Edited<PlainRecord>): RecordView => showRecord(edited.value);

export const deletedView = z
  .object({
    deleted: z.literal(true),
    hostname: z.string(),
    val: z.string(),
    value: z.string(),
  })
  .meta({ id: 'DeletedRecord', description: 'A deleted record.' });

export const showDeleted = (edited: Edited<PlainRecord>): z.output<typeof deletedView> => {
  const { hostname, val, value } = showRecord(edited.value);
  return { deleted: true, hostname, val, value };
};

export function recordExample(segment: ContractType): RecordView {
  const name = `${exampleHost(segment)}.`;
  const record = { type: contractTypes[segment], name, ttl: 3_600, value: exampleValue(segment) };
  return showRecord({ ...record, priority: 10, weight: 5, port: 5060 });
}

/** `dns` of the domain detail has every type, even if empty, because panels loop over all of them. */
export const recordMapView = z
  .object({
    A: z.array(views.ip),
    AAAA: z.array(views.ipv6),
    CNAME: z.array(views.cname),
    MX: z.array(views.mx),
    NS: z.array(views.ns),
    TXT: z.array(views.txt),
    SRV: z.array(views.srv),
  })
  .meta({ id: 'RecordsByType', description: 'Records of a zone, by type.' });

export function showRecordMap(records: readonly PlainRecord[]): Record<PlainRecord['type'], RecordView[]> {
  const of = (type: PlainRecord['type']) => records.filter((record) => record.type === type).map(showRecord);
  return {
    A: of('A'),
    AAAA: of('AAAA'),
    CNAME: of('CNAME'),
    MX: of('MX'),
    NS: of('NS'),
    TXT: of('TXT'),
    SRV: of('SRV'),
  };
}
