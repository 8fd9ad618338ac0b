/** `+62.2150001000` */
export function phoneParts(number: string | null): { readonly country: string; readonly rest: string } | undefined {
  const [, country, rest] = /^\+(\d+)\.(.+)$/.exec(number ?? '') ?? [];
  return country === undefined || rest === undefined ? undefined : { country, rest };
}

export const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Two parts are required by some upstreams; a single name is written twice. */
export function nameParts(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return { first: words.join(' ') || last, last };
}
