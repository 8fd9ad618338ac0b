const hourMs = 3_600_000;

/** ICANN's Transfer Policy (I.A.3.7): so long after its registration or its last transfer a name may be kept back. Two letters: a country's own rules. */
const lockHours = { generic: 60 * 24, country: 0 } as const;

type TldClass = keyof typeof lockHours;
const tldClassOf = (tld: string): TldClass => (tld.split('.').at(-1)!.length === 2 ? 'country' : 'generic');

export interface TransferLock {
  readonly since: 'registration' | 'transfer';
  readonly endsAt: Date;
}

/** The lock that ends last; null where none holds any more. */
export function transferLockOf(
  tld: string,
  name: { readonly createdAt: Date | null; readonly transferredAt: Date | null },
  now: Date,
): TransferLock | null {
  const length = lockHours[tldClassOf(tld)] * hourMs;
  const lock = (since: TransferLock['since'], at: Date | null): TransferLock[] =>
    at === null ? [] : [{ since, endsAt: new Date(at.getTime() + length) }];
  const locks = [...lock('transfer', name.transferredAt), ...lock('registration', name.createdAt)];
  const open = locks.filter(({ endsAt }) => endsAt > now).sort((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  return open[0] ?? null;
}
