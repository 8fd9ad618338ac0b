import { dayMs } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import type { FaultSpec } from './fault.ts';

const defaultZone = '+07:00';

/** A registry that keeps the day of a creation and not its hour. */
export function atMidnight(response: ResponseSpec): ResponseSpec {
  const { data } = response;
  if (data === undefined || !('crDate' in data) || !(data.crDate instanceof Date)) return response;
  const crDate = new Date(Math.floor(data.crDate.getTime() / dayMs) * dayMs);
  return { ...response, data: { ...data, crDate } };
}

/** A registry that writes its own local time; RFC 5730 2.9 wants UTC, and not all of them care. */
export function inZone(spec: FaultSpec): (xml: string) => string {
  const zone = spec.zone ?? defaultZone;
  const sign = zone.startsWith('-') ? -1 : 1;
  const shiftMs = sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6))) * 60_000;
  const mark = { offset: zone, none: '', Z: 'Z' }[spec.mark ?? 'offset'];
  return (xml) =>
    xml.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) => {
      const local = new Date(Date.parse(moment) + shiftMs).toISOString();
      return `${local.slice(0, -1)}${mark}`;
    });
}
