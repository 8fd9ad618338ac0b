/** How values look on the wire: contract fields as the contract has them, our own as RFC 3339. */

/** Contract times: UTC without a zone. */
export function contractTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

export function contractTimeOrNull(at: Date | null | undefined): string | null {
  return at ? contractTime(at) : null;
}

/** Our own `*_at` fields: RFC 3339 with Z. */
export function instantText(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

export function instantOrNull(at: Date | null | undefined): string | null {
  return at ? instantText(at) : null;
}
