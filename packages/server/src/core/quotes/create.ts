import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import type { QuoteDraft } from './draft.ts';
import { findQuote, insertQuote } from './quote.sql.ts';
import { type Quote, quoteLimits } from './quote.ts';

export async function createQuote(ctx: AppContext, actor: Actor, draft: QuoteDraft): Promise<Quote> {
  const now = ctx.clock.now();
  return write(ctx, actor, async (tx) => {
    const quote = await insertQuote(tx, {
      id: ctx.ids.next('quo'),
      reseller_id: actor.resellerId,
      customer_id: actor.customerId ?? null,
      kind: draft.kind,
      domain_name: draft.domainName,
      domain_id: draft.domainId,
      years: draft.years,
      lines: draft.lines,
      total: draft.total,
      premium_class: draft.premiumClass,
      what_happens: draft.whatHappens,
      valid_until: new Date(now.getTime() + quoteLimits.validityMs),
      // The exchange rates of this time apply when the quote is used.
      created_at: draft.pricedAt,
    });
    await audit(ctx, tx, actor, { action: 'quote.create', objectType: 'quote', objectId: quote.id, after: quote });
    return quote;
  });
}

export async function readQuote(ctx: AppContext, actor: Actor, id: string): Promise<Quote> {
  const quote = await findQuote(ctx.db.as(actor.resellerId), actor, id);
  if (!quote) throw notFound('quote');
  return quote;
}
