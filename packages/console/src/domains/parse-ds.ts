/** Reads a DS or DNSKEY record as printed by nameservers, ignoring owner, TTL and class. Undefined if it is neither. */
export function readKey(text: string): Readonly<Record<string, number | string>> | undefined {
  const line = text.replaceAll(/[()]/g, ' ').replaceAll(/;.*$/gm, ' ').trim();
  const parts = line.split(/\s+/);
  const at = parts.findIndex((each) => /^(DS|CDS|DNSKEY|CDNSKEY)$/i.test(each));
  const isKey = /DNSKEY$/i.test(parts[at] ?? '');
  const [first = '', second = '', third = '', ...rest] = parts.slice(at + 1);
  const data = rest.join('');
  if (![first, second, third].every((each) => /^\d{1,5}$/.test(each)) || data === '') return undefined;
  if (isKey) return { flags: Number(first), protocol: Number(second), algorithm: Number(third), pubkey: data };
  if (!/^[\da-f]+$/i.test(data)) return undefined;
  return { keytag: Number(first), algorithm: Number(second), digesttype: Number(third), digest: data.toUpperCase() };
}
