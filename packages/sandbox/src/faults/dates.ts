import { dayMs } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { FaultSpec } from './fault.ts';

const defaultZone = '+07:00';
const hourMs = 3_600_000;
const moments = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const localTime = (moment: Date, shiftMs: number): string =>
  new Date(moment.getTime() + shiftMs).toISOString().slice(0, -1);

/** A registry that stores the day of a creation without the time. */
export function atMidnight(response: ResponseSpec): ResponseSpec {
  const { data } = response;
  if (data === undefined || !('crDate' in data) || !(data.crDate instanceof Date)) return response;
  const crDate = new Date(Math.floor(data.crDate.getTime() / dayMs) * dayMs);
  return { ...response, data: { ...data, crDate } };
}

/** The same instant in other forms: more digits, a zone of its own, a blank for the T, no zone. */
const otherDateFormats = [
  (moment: Date) => moment.toISOString().replace('Z', '000Z'),
  (moment: Date) => `${localTime(moment, 7 * hourMs)}+07:00`,
  (moment: Date) => moment.toISOString().replace('T', ' '),
  (moment: Date) => moment.toISOString().replace('Z', ''),
] as const;

/** A registry that writes dates in other forms of the same instant. */
export function inOtherDateFormat(random: () => number): (xml: string) => string {
  const spell = otherDateFormats[Math.floor(random() * otherDateFormats.length)]!;
  return (xml) => xml.replace(moments, (text) => spell(new Date(text)));
}

/** A registry that writes its local time. RFC 5730 2.9 requires UTC, but not all registries comply. */
export function inZone(spec: FaultSpec): (xml: string) => string {
  const zone = spec.zone ?? defaultZone;
  const sign = zone.startsWith('-') ? -1 : 1;
  const shiftMs = sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
  const mark = { offset: zone, none: '', Z: 'Z' }[spec.mark ?? 'offset'];
  return (xml) => xml.replace(moments, (text) => `${localTime(new Date(text), shiftMs)}${mark}`);
}
