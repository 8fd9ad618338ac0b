type Json = Record<string, unknown>;

/** A document with each reference replaced by what it leads to, and what stands beside a reference laid over it. */
export function resolved<T>(document: T): T {
  const known = new Map<string, unknown>();
  const at = (reference: string): unknown => {
    if (!known.has(reference)) {
      const keys = reference.slice(2).split('/');
      const found = keys.reduce<unknown>((part, key) => (part as Json | undefined)?.[key], document);
      if (found === undefined) throw new Error(`${reference} leads nowhere`);
      known.set(reference, walk(found));
    }
    return known.get(reference);
  };
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...rest } = part as Json;
    const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, walk(value)]));
    return typeof $ref === 'string' ? { ...(at($ref) as Json), ...own } : own;
  };
  return walk(document) as T;
}
