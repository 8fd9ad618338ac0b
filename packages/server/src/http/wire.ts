/** Formats of values in responses: contract fields as in the contract, our own as RFC 3339. */

const twoDigits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));

/** To the second, in UTC. Built by hand, because `toISOString` takes four times as long and every row of a list has such values. */
function toTheSecond(at: Date, between: ' ' | 'T'): string {
  const year = at.getUTCFullYear();
  // Other years have a sign and more digits, and invalid dates throw there.
  if (!(year >= 1000 && year <= 9999)) return at.toISOString().slice(0, -5).replace('T', between);
  const date = `${year}-${twoDigits[at.getUTCMonth() + 1]}-${twoDigits[at.getUTCDate()]}`;
  return `${date}${between}${twoDigits[at.getUTCHours()]}:${twoDigits[at.getUTCMinutes()]}:${twoDigits[at.getUTCSeconds()]}`;
}

/** Contract times: UTC without a zone. */
export function contractTime(at: Date): string {
  return toTheSecond(at, ' ');
}

export function contractTimeOrNull(at: Date | null | undefined): string | null {
  return at ? contractTime(at) : null;
}

/** Our own `*_at` fields: RFC 3339 with Z. */
export function instantText(at: Date): string {
  return `${toTheSecond(at, 'T')}Z`;
}

export function instantOrNull(at: Date | null | undefined): string | null {
  return at ? instantText(at) : null;
}
