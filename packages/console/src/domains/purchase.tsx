import { useState } from 'preact/hooks';
import { type Answered, call, type Manner } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { moneyText } from '../parts/money.tsx';
import { words as common } from '../words/words.ts';
import { type Quote, useQuote } from './quote.ts';
import { Following } from './verb-dialog.tsx';
import { words } from './words.ts';

export type Bought = 'renew' | 'restore' | 'privacy';

interface Given {
  readonly kind: Bought;
  readonly name: string;
  readonly domainId: string;
  /** When it ends now: a renewal says so, and is not done twice. */
  readonly expires: string;
  readonly onClose: () => void;
}

function send({ kind, domainId, expires }: Given, years: number, quote: Quote, manner: Manner) {
  const path = { domain_id: domainId };
  const guard = { invoice_option: 'no_invoice', quote_id: quote.quote_id } as const;
  const orders: Record<Bought, () => Promise<Answered<unknown>>> = {
    renew: () =>
      call('post', '/domains/{domain_id}/renew', { path, body: { years, current_date: expires, ...guard } }, manner),
    restore: () => call('post', '/domains/{domain_id}/restore', { path, body: guard }, manner),
    privacy: () =>
      call('post', '/domains/{domain_id}/privacy_protection/buy', { path, body: { years, ...guard } }, manner),
  };
  return orders[kind]();
}

/** The price stands on the button, and what happens beside it. Sending twice is one order: the key lies with the draft. */
export function Purchase(given: Given) {
  const { kind, name, domainId, onClose } = given;
  const w = words();
  const draft = useDraft(`domains/${domainId}/${kind}`, 1);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Trouble>();
  const [before, setBefore] = useState<Quote>();
  const [operationId, setOperationId] = useState<string>();
  const years = draft.value;
  const asked = { kind, domain_name: name, ...(kind === 'restore' ? {} : { years }) } as const;
  const { quote, trouble } = useQuote(asked, round);
  const submit = async () => {
    if (!quote) return;
    setBusy(true);
    setRefused(undefined);
    setBefore(undefined);
    try {
      const done = await send(given, years, quote, { idempotencyKey: draft.idempotencyKey });
      draft.clear();
      await changed('/domains', '/operations', '/account');
      setOperationId((done.body as { operation_id: string | null }).operation_id ?? undefined);
    } catch (error) {
      const said = asTrouble(error);
      // What was refused may be ordered anew, at a new price.
      if (said.isRefusal) draft.renew();
      if (/^(quote|price)/.test(said.code)) setRound(round + 1);
      if (said.code === 'price_guard') setBefore(quote);
      else setRefused(said);
      const inTheWay = said.facts.operation_id;
      if (said.status === 409 && typeof inTheWay === 'string') setOperationId(inTheWay);
    } finally {
      setBusy(false);
    }
  };
  const text = ({ total }: Quote) => moneyText(total.amount, total.currency);
  const choices = Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: w.year(n + 1) }));
  return (
    <Dialog title={w.buy[kind].title(name)} onClose={onClose}>
      {operationId ? (
        <Following id={operationId} isOwn={!refused} onClose={onClose} />
      ) : (
        <Form onSubmit={() => void submit()} trouble={refused ?? trouble} labels={{ years: w.years }}>
          {kind !== 'restore' && (
            <SelectField
              name="years"
              label={w.years}
              value={String(years)}
              choices={choices}
              onChoice={(value) => draft.set(Number(value))}
            />
          )}
          {before && quote && (
            <p class="note warn" role="alert">
              {w.rose(text(before), text(quote))}
            </p>
          )}
          {quote && <p>{quote.what_happens}</p>}
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={!quote}>
              {quote ? w.buy[kind].verb(text(quote)) : w.pricing}
            </Button>
            <Button onClick={onClose}>{common().cancel}</Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
