import { useLayoutEffect, useState } from 'preact/hooks';
import { type ApiResponse, type CallOptions, call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { moneyText } from '../components/money.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { isCustomer } from '../session/current-session.ts';
import { messages } from './messages.ts';
import { type AcceptedQuote, agreedTo, type Quote, replacedQuote, useQuote } from './quote.ts';
import { OperationProgress } from './verb-dialog.tsx';
import { addYears } from './years.ts';

export type PurchaseKind = 'renew' | 'restore' | 'privacy';

interface Props {
  readonly kind: PurchaseKind;
  readonly name: string;
  readonly domainId: string;
  /** The current expiry, updated by events while the dialog is open. */
  readonly expires: string;
  readonly onClose: () => void;
}

/** `base` is the expiry the user agreed to. The service refuses a renewal from any other date. */
function send({ kind, domainId }: Props, base: string, years: number, quote: Quote, options: CallOptions) {
  const path = { domain_id: domainId };
  const guard = { invoice_option: isCustomer() ? 'pay_invoice' : 'no_invoice', quote_id: quote.quote_id } as const;
  const orders: Record<PurchaseKind, () => Promise<ApiResponse<unknown>>> = {
    renew: () =>
      call('post', '/domains/{domain_id}/renew', { path, body: { years, current_date: base, ...guard } }, options),
    restore: () => call('post', '/domains/{domain_id}/restore', { path, body: guard }, options),
    privacy: () =>
      call('post', '/domains/{domain_id}/privacy_protection/buy', { path, body: { years, ...guard } }, options),
  };
  return orders[kind]();
}

const dayOf = (moment: string) => moment.slice(0, 10);

/** Describes the purchase; for a renewal, with both expiry dates. */
function OrderSummary(of: {
  readonly kind: PurchaseKind;
  readonly name: string;
  readonly base: string;
  readonly years: number;
  readonly quote: Quote;
}) {
  const { kind, name, base, years, quote } = of;
  const t = messages();
  const end = readMoment(base);
  const isKnown = !Number.isNaN(end.getTime());
  const acts: Record<PurchaseKind, string> = {
    renew: isKnown ? t.renewalSummary(name, momentText(end), momentText(addYears(end, years))) : '',
    restore: t.restoreSummary(
      name,
      quote.lines.some(({ line }) => line === 'renewal'),
    ),
    privacy: t.privacySummary(name, t.year(years)),
  };
  return (
    <p>
      {acts[kind]} {t.holdText(moneyText(quote.total.amount, quote.total.currency))} {!isCustomer() && t.ownCost}
    </p>
  );
}

/** Warns that the domain was renewed while the dialog was open. */
function RenewedMeanwhile({
  name,
  expires,
  onAccept,
}: {
  readonly name: string;
  readonly expires: string;
  readonly onAccept: () => void;
}) {
  const t = messages();
  const end = readMoment(expires);
  const until = Number.isNaN(end.getTime()) ? '–' : momentText(end);
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{t.renewedMeanwhile(name, until)}</strong>
        <p>{t.renewedMeanwhileText}</p>
        <Button small onClick={onAccept}>
          {t.renewedMeanwhileYes(until)}
        </Button>
      </div>
    </div>
  );
}

/** The idempotency key is stored with the draft, so that a repeated request is one order. */
function usePurchase(props: Props) {
  const { kind, name, domainId, expires } = props;
  const draft = useDraft(`domains/${domainId}/${kind}`, 1);
  const [base, setBase] = useState(expires);
  const [round, setRound] = useState(0);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const [agreed, setAgreed] = useState<AcceptedQuote>();
  const [operationId, setOperationId] = useState<string>();
  const years = draft.value;
  const quoteRequest = { kind, domain_name: name, ...(kind === 'restore' ? {} : { years }) } as const;
  const { quote, error } = useQuote(quoteRequest, round);
  const choice = JSON.stringify(quoteRequest);
  useLayoutEffect(() => setAgreed(agreedTo(agreed, choice, quote)), [quote, choice]);
  /** A price that differs from the first one must be accepted. */
  const before = replacedQuote(agreed, quote);
  // Our own order also changes the expiry.
  const isMoved = kind === 'renew' && !busy && dayOf(expires) !== dayOf(base);
  const submit = async () => {
    if (!quote || isMoved || before) return;
    setBusy(true);
    setRefused(undefined);
    try {
      const done = await send(props, base, years, quote, { idempotencyKey: draft.idempotencyKey });
      draft.clear();
      await invalidate('/domains', '/operations', '/account');
      setOperationId((done.body as { operation_id: string | null }).operation_id ?? undefined);
    } catch (cause) {
      const apiError = asApiError(cause);
      // After a refusal, the next attempt is a new order.
      if (apiError.isRefusal) draft.renew();
      if (/^(quote|price)/.test(apiError.code)) setRound(round + 1);
      // Another order came first: its result is shown before the user decides again.
      if (/^(already_renewed|idempotency_mismatch)$/.test(apiError.code)) await invalidate('/domains', '/operations');
      if (apiError.code !== 'price_guard') setRefused(apiError);
      const inTheWay = apiError.facts.operation_id;
      if (apiError.status === 409 && typeof inTheWay === 'string') setOperationId(inTheWay);
    } finally {
      setBusy(false);
    }
  };
  /** A new confirmation is a new order. */
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
    error: refused ?? error,
    submit,
    goOn,
    agree,
  };
}

export function Purchase(props: Props) {
  const { kind, name, expires, onClose } = props;
  const t = messages();
  const { draft, base, busy, before, quote, operationId, isMoved, refused, error, submit, goOn, agree } =
    usePurchase(props);
  const years = draft.value;
  const text = ({ total }: Quote) => moneyText(total.amount, total.currency);
  const choices = Array.from({ length: 10 }, (_, n) => ({ value: String(n + 1), label: t.year(n + 1) }));
  return (
    <Dialog title={t.buy[kind].title(name)} onClose={onClose}>
      {operationId ? (
        <OperationProgress id={operationId} isOwn={!refused} onClose={onClose} />
      ) : (
        <Form onSubmit={() => void submit()} error={isMoved ? undefined : error} labels={{ years: t.years }}>
          {kind !== 'restore' && (
            <SelectField
              name="years"
              label={t.years}
              value={String(years)}
              choices={choices}
              onChoice={(value) => draft.set(Number(value))}
            />
          )}
          {before && quote && (
            <div class="note warn" role="alert">
              <div>
                <p>{t.newPrice(text(before), text(quote))}</p>
                <Button small onClick={agree}>
                  {t.newPriceYes(text(quote))}
                </Button>
              </div>
            </div>
          )}
          {isMoved ? (
            <RenewedMeanwhile name={name} expires={expires} onAccept={goOn} />
          ) : (
            quote && <OrderSummary kind={kind} name={name} base={base} years={years} quote={quote} />
          )}
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={!quote || isMoved || before !== undefined}>
              {quote ? t.buy[kind].verb(text(quote)) : error ? t.notNow : t.pricing}
            </Button>
            <Button onClick={onClose}>{common().cancel}</Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
