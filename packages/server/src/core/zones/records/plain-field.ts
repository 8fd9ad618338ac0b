/** What the DNS library calls a part of a record, by what a record of one line has: a host, a value, a TTL and numbers. */
export function plainField(field: string): string {
  const part = field.replace(/^records\[\d+\]\.?/, '');
  if (part === 'name') return 'host';
  if (part === 'preference') return 'priority';
  return ['ttl', 'priority', 'weight', 'port'].includes(part) ? part : 'value';
}
