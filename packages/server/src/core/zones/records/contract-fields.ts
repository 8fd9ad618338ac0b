/** What the DNS library calls a part of a record, in the words of the contract's parameters. */
export function contractField(field: string): string {
  const part = field.replace(/^records\[\d+\]\.?/, '');
  if (part === 'name') return 'hostname';
  if (part === 'preference') return 'priority';
  return ['ttl', 'priority', 'weight', 'port'].includes(part) ? part : 'value';
}
