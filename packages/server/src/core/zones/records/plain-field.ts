/** Maps the DNS library's names for the parts of a record to the fields of a simple record: host, value, TTL and numbers. */
export function plainField(field: string): string {
  const part = field.replace(/^records\[\d+\]\.?/, '');
  if (part === 'name') return 'host';
  if (part === 'preference') return 'priority';
  return ['ttl', 'priority', 'weight', 'port'].includes(part) ? part : 'value';
}
