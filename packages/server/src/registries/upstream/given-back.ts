import type { Registry } from '../../core/ports/registry.ts';
import { type Fields, objectOf, textOf } from './fields.ts';
import { decimal } from './orders.ts';
import { postingsOf } from './postings.ts';
import type { Upstream } from './upstream.ts';

/** Refunds are read from the transactions when the domain appears as deleted. */
export function givenBack(u: Upstream): Pick<Registry, 'givenBack'> {
  const isWhole = u.profile.dialect === 'namehold';
  return {
    async givenBack(name) {
      const read = await postingsOf(u, name, { transaction_type: 'domain', description: name });
      if (read.kind !== 'done') return read;
      return { ...read, data: { lines: read.data.flatMap((row) => lineOf(u, row)), isWhole } };
    },
  };
}

function lineOf(u: Upstream, row: Fields) {
  const amount = backOf(row);
  if (!Number.isFinite(amount) || amount <= 0) return [];
  const currency = textOf(row.currency) ?? u.profile.currency;
  return [{ command: textOf(row.action) ?? null, fee: { amount: decimal(amount), currency } }];
}

/** Our own API returns the amount; the contract reports only that it was refunded in full. */
function backOf(row: Fields): number {
  const refunded = objectOf(row.refunded);
  if (refunded) return Number(refunded.amount);
  return /^refunded$/i.test(textOf(row.status) ?? '') ? Math.abs(Number(row.amount)) : 0;
}
