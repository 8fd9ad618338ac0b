import { useLayoutEffect, useState } from 'preact/hooks';
import { type Answered, call, type Manner } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { moneyText } from '../parts/money.tsx';
import { isCustomer } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import { type Agreed, agreedTo, type Quote, seenBefore, useQuote } from './quote.ts';
import { Following } from './verb-dialog.tsx';
import { words } from './words.ts';
import { addYears } from './years.ts';

export type Bought = 'renew' | 'restore' | 'privacy';

interface Given {
  readonly kind: Bought;
  readonly name: string;
  readonly domainId: string;
  /** When it ends now, as events bring it while the dialog is open. */
  readonly expires: string;
  readonly onClose: () => void;
}

/** `base`: the end that was shown when it was agreed to; the service renews nothing that ends on another day. */
function send({ kind, domainId }: Given, base: string, years: number, quote: Quote, manner: Manner) {
  const path = { domain_id: domainId };
  const guard = { invoice_option: isCustomer() ? 'pay_invoice' : 'no_invoice', quote_id: quote.quote_id } as const;
  const orders: Record<Bought, () => Promise<Answered<unknown>>> = {
    renew: () =>
      call('post', '/domains/{domain_id}/renew', { path, body: { years, current_date: base, ...guard } }, manner),
    restore: () => call('post', '/domains/{domain_id}/restore', { path, body: guard }, manner),
    privacy: () =>
      call('post', '/domains/{domain_id}/privacy_protection/buy', { path, body: { years, ...guard } }, manner),
  };
  return orders[kind]();
}

const dayOf = (moment: string) => moment.slice(0, 10);

/** What is agreed to, with both ends of a renewal. */
function WhatHappens(of: {
  readonly kind: Bought;
  readonly name: string;
  readonly base: string;
  readonly years: number;
  readonly quote: Quote;
}) {
  const { kind, name, base, years, quote } = of;
  const w = words();
  const end = readMoment(base);
  const isKnown = !Number.isNaN(end.getTime());
  const acts: Record<Bought, string> = {
    renew: isKnown ? w.renewing(name, momentText(end), momentText(addYears(end, years))) : '',
    restore: w.restoring(
      name,
      quote.lines.some(({ line }) => line === 'renewal'),
    ),
    privacy: w.hiding(name, w.year(years)),
  };
  return (
    <p>
      {acts[kind]} {w.held(moneyText(quote.total.amount, quote.total.currency))}
    </p>
  );
}

/** Somebody else renewed it while this was open: nobody has agreed to one more year yet. */
function Moved({
  name,
  expires,
  onYes,
}: {
  readonly name: string;
  readonly expires: string;
  readonly onYes: () => void;
}) {
  const w = words();
  const end = readMoment(expires);
  const until = Number.isNaN(end.getTime()) ? '–' : momentText(end);
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{w.renewedMeanwhile(name, until)}</strong>
        <p>{w.renewedMeanwhileText}</p>
        <Button small onClick={onYes}>
          {w.renewedMeanwhileYes(until)}
        </Button>
      </div>
    </div>
  );
}

/** Sending twice is one order: the key lies with the draft. */
function usePurchase(given: Given) {
  const { kind, name, domainId, expires } = given;
  const draft = useDraft(`domains/${domainId}/${kind}`, 1);
  const [base, setBase] = useState(expires);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Trouble>();
  const [agreed, setAgreed] = useState<Agreed>();
  const [operationId, setOperationId] = useState<string>();
  const years = draft.value;
  const asked = { kind, domain_name: name, ...(kind === 'restore' ? {} : { years }) } as const;
  const { quote, trouble } = useQuote(asked, round);
  const choice = JSON.stringify(asked);
  useLayoutEffect(() => setAgreed(agreedTo(agreed, choice, quote)), [quote, choice]);
  /** Another price than the one that was seen first needs a yes of its own. */
  const before = seenBefore(agreed, quote);
  // Its own order moves the end as well.
  const isMoved = kind === 'renew' && !busy && dayOf(expires) !== dayOf(base);
  const submit = async () => {
    if (!quote || isMoved || before) return;
    setBusy(true);
    setRefused(undefined);
    try {
      const done = await send(given, base, years, quote, { idempotencyKey: draft.idempotencyKey });
      draft.clear();
      await changed('/domains', '/operations', '/account');
      setOperationId((done.body as { operation_id: string | null }).operation_id ?? undefined);
    } catch (error) {
      const said = asTrouble(error);
      // What was refused may be ordered anew, at a new price.
      if (said.isRefusal) draft.renew();
      if (/^(quote|price)/.test(said.code)) setRound(round + 1);
      // Another order came first: what it made of the name is shown before this one is decided again.
      if (/^(already_renewed|idempotency_mismatch)$/.test(said.code)) await changed('/domains', '/operations');
      if (said.code !== 'price_guard') setRefused(said);
      const inTheWay = said.facts.operation_id;
      if (said.status === 409 && typeof inTheWay === 'string') setOperationId(inTheWay);
    } finally {
      setBusy(false);
    }
  };
  /** A new yes is another order. */
  const goOn = () => {
    setBase(expires);
    setRefused(undefined);
    draft.renew();
  };
  const agree = () => quote && setAgreed({ of: choice, quote });
  return {
    draft,
    base,
    busy,
    before,
    quote,
    operationId,
    isMoved,
    refused,
    trouble: refused ?? trouble,
    submit,
    goOn,
    agree,
  };
}

/** The price stands on the button, and what happens beside it. */
export function Purchase(given: Given) {
  const { kind, name, expires, onClose } = given;
  const w = words();
  const { draft, base, busy, before, quote, operationId, isMoved, refused, trouble, submit, goOn, agree } =
    usePurchase(given);
  const years = draft.value;
  const text = ({ total }: Quote) => moneyText(total.amount, total.currency);
  const choices = Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: w.year(n + 1) }));
  return (
    <Dialog title={w.buy[kind].title(name)} onClose={onClose}>
      {operationId ? (
        <Following id={operationId} isOwn={!refused} onClose={onClose} />
      ) : (
        <Form onSubmit={() => void submit()} trouble={isMoved ? undefined : trouble} labels={{ years: w.years }}>
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
            <div class="note warn" role="alert">
              <div>
                <p>{w.newPrice(text(before), text(quote))}</p>
                <Button small onClick={agree}>
                  {w.newPriceYes(text(quote))}
                </Button>
              </div>
            </div>
          )}
          {isMoved ? (
            <Moved name={name} expires={expires} onYes={goOn} />
          ) : (
            quote && <WhatHappens kind={kind} name={name} base={base} years={years} quote={quote} />
          )}
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={!quote || isMoved || before !== undefined}>
              {quote ? w.buy[kind].verb(text(quote)) : w.pricing}
            </Button>
            <Button onClick={onClose}>{common().cancel}</Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
