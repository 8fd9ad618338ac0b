import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Icon } from '../components/icon.tsx';
import { momentText, readMoment } from '../components/moment.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { Badge } from '../components/status-icon.tsx';
import { withDraftLock } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { type AcceptedQuote, agreedTo, type Quote, replacedQuote, useQuote } from '../domains/quote.ts';
import { StepLine } from '../operations/step-line.tsx';
import { provider } from '../session/brand.ts';
import { isCustomer } from '../session/current-session.ts';
import { type Cart, cartName, endingOf, isOrdered, type Line } from './cart.ts';
import { messages } from './messages.ts';

/** State of a line that is not part of the draft. */
export interface LineState {
  readonly quote?: Quote | undefined;
  readonly error?: ApiError | undefined;
  /** The accepted price. A different price must be accepted again. */
  readonly agreed?: AcceptedQuote | undefined;
  /** Increased for each new quote. */
  readonly round?: number;
  readonly busy?: boolean;
  /** This window sent the order. */
  readonly isOwn?: boolean;
  readonly hasPrivacy?: boolean | undefined;
}

interface Props {
  readonly line: Line;
  readonly cart: Cart;
  readonly lineState: LineState;
  readonly onLineState: (change: LineState) => void;
  readonly onLine: (line: Line | undefined) => void;
  readonly onCheckStatus: () => void;
}

export function CartLine(props: Props) {
  const { line, lineState } = props;
  return (
    <li class="cart-line">
      {isOrdered(line) ? <OrderedLine {...props} /> : line.sent ? <SentLine {...props} /> : <OpenLine {...props} />}
      {lineState.error && !isOrdered(line) && !line.sent && <Refused line={line} error={lineState.error} />}
    </li>
  );
}

function OpenLine({ line, cart, lineState, onLineState, onLine }: Props) {
  const t = messages();
  const { name, years } = line;
  const tld = useResource('/tlds/{name}', { path: { name: endingOf(name) } });
  const rules = tld.data?.rules;
  const hasPrivacy = rules?.privacy_offered;
  const isPrivate = cart.withPrivacy && hasPrivacy === true;
  const ready = rules || tld.error;
  const quoteRequest = { kind: 'register', domain_name: name, years, privacy_protection: isPrivate } as const;
  const { quote, error } = useQuote(ready ? quoteRequest : undefined, lineState.round ?? 0);
  // Runs before the next click, so that no button shows an outdated price.
  const choice = JSON.stringify(quoteRequest);
  useLayoutEffect(
    () => onLineState({ quote, hasPrivacy, agreed: agreedTo(lineState.agreed, choice, quote) }),
    [quote, hasPrivacy, choice],
  );
  const before = replacedQuote(lineState.agreed, quote);
  const { min_years: least, max_years: most } = rules?.periods ?? { min_years: 1, max_years: 10 };
  const choices = Array.from({ length: most - least + 1 }, (_, n) => least + n);
  return (
    <>
      <div class="cart-row">
        <strong>
          <DomainName name={name} />
        </strong>
        {quote?.premium_class && <Badge tone="accent">{t.premium(quote.premium_class)}</Badge>}
        <span class="grow" />
        <select
          aria-label={t.years(name)}
          value={String(years)}
          onChange={(event) => onLine({ ...line, years: Number(event.currentTarget.value) })}
        >
          {choices.map((n) => (
            <option key={n} value={String(n)}>
              {t.year(n)}
            </option>
          ))}
        </select>
        <LinePrice quote={quote} isFailed={error !== undefined} />
        <button type="button" class="button quiet small" aria-label={t.remove(name)} onClick={() => onLine(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {quote?.premium_class && <p class="faint">{t.premiumRenewal}</p>}
      {error && error.code !== lineState.error?.code && <Refused line={line} error={error} />}
      {before && quote && (
        <PriceChange before={before} quote={quote} onAccept={() => onLineState({ agreed: { of: choice, quote } })} />
      )}
    </>
  );
}

/** The cost, and for a reseller also the price for the customer. */
export function LinePrice({ quote, isFailed }: { readonly quote: Quote | undefined; readonly isFailed?: boolean }) {
  const t = messages();
  return (
    <span class="price">
      {!quote && <span class="faint">{isFailed ? '–' : '…'}</span>}
      {quote && (
        <span>
          {!isCustomer() && <span class="faint">{t.yourCost}</span>} <Money {...quote.total} />
        </span>
      )}
      {quote?.customer_price && (
        <span>
          <span class="faint">{t.customerPrice}</span> <Money {...quote.customer_price} />
        </span>
      )}
    </span>
  );
}

/** Shows both prices. Nothing is ordered until the user accepts the new one. */
export function PriceChange(of: { readonly before: Quote; readonly quote: Quote; readonly onAccept: () => void }) {
  const { before, quote, onAccept } = of;
  const t = messages();
  const text = ({ total }: Quote) => moneyText(total.amount, total.currency);
  const isDearer = Number(quote.total.amount) > Number(before.total.amount);
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{(isDearer ? t.priceIncreased : t.priceDecreased)(text(before), text(quote))}</strong>
        <p>{t.priceChangedText}</p>
        <Button small onClick={onAccept}>
          {t.acceptPrice(text(quote))}
        </Button>
      </div>
    </div>
  );
}

/** Whether a window holds the order lock. False if none does, also after a window was closed. */
function useIsOrdering(key: string): boolean {
  const [isUnderWay, setUnderWay] = useState(true);
  useEffect(() => {
    let isGone = false;
    void withDraftLock(cartName, async () => {
      if (!isGone) setUnderWay(false);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return isUnderWay;
}

/** A line whose order is in flight or has an unknown outcome. Only its status can be checked. */
function SentLine({ line, lineState, onCheckStatus }: Props) {
  const t = messages();
  const isUnderWay = useIsOrdering(line.key);
  return (
    <>
      <div class="cart-row">
        <strong>
          <DomainName name={line.name} />
        </strong>
        <span class="grow" />
        <span class="faint">{t.year(line.years)}</span>
      </div>
      {!lineState.busy && isUnderWay && (
        <p class="note" role="status">
          {t.orderingElsewhere(line.name)}
        </p>
      )}
      {!lineState.busy && !isUnderWay && (
        <div class="note warn" role="alert">
          <div>
            <strong>{t.unknown}</strong>
            <p>{t.unknownText}</p>
            <Button small onClick={onCheckStatus}>
              {t.checkStatus}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function OrderedLine({ line, lineState }: Props) {
  const t = messages();
  // This window offered the line, but another one sent the order.
  const isElsewhere = lineState.quote !== undefined && !lineState.isOwn;
  return (
    <>
      <div class="cart-row">
        <strong>
          <DomainName name={line.name} />
        </strong>
        <span class="grow" />
        <span class="faint">{t.year(line.years)}</span>
        <ButtonLink small href={`/app/domains/${line.name}`}>
          {t.open}
        </ButtonLink>
      </div>
      {isElsewhere && (
        <p class="faint" role="status">
          {t.orderedElsewhere}
        </p>
      )}
      {line.operationId ? (
        <Placed line={line} id={line.operationId} />
      ) : (
        <div class="note" role="status">
          {t.waiting}
        </div>
      )}
    </>
  );
}

/** The progress of an order, and its result in a sentence. */
function Placed({ line, id }: { readonly line: Line; readonly id: string }) {
  const t = messages();
  const [ended, setEnded] = useState<Schema<'Operation'>>();
  const until = ended?.outcome?.expires_at;
  const bill = isCustomer() ? undefined : line.sent?.invoice_option;
  return (
    <>
      {ended?.state === 'done' && typeof until === 'string' && (
        <p class="note good" role="status">
          {t.registered(line.name, momentText(readMoment(until)))} {bill && t.billed[bill]}
        </p>
      )}
      <StepLine id={id} onEnd={setEnded} />
    </>
  );
}

interface RefusalFacts {
  readonly missing?: { readonly amount: string; readonly currency: string } | null;
  readonly lacking?: string;
  readonly operation_id?: string;
}

export function Refused({ line, error }: { readonly line: { readonly name: string }; readonly error: ApiError }) {
  const t = messages();
  const { missing, lacking, operation_id } = error.facts as RefusalFacts;
  // The price change is shown with the prices.
  if (error.code === 'price_guard') return null;
  if (error.code === 'domain_not_available') return <NotAvailable name={line.name} error={error} />;
  const apiOnly = error.fields.map(({ field }) => field).find((field) => t.apiOnly[field]);
  if (apiOnly)
    return (
      <div class="note bad" role="alert">
        {t.apiOnly[apiOnly]?.(endingOf(line.name))}{' '}
        {isCustomer() ? t.orderByProvider(provider()) : t.apiOnlyRemedies[apiOnly]}
      </div>
    );
  if (error.code === 'idempotency_mismatch')
    return (
      <div class="note warn" role="alert">
        {t.otherContent}
      </div>
    );
  if (error.status === 409 && operation_id)
    return (
      <div class="note warn" role="alert">
        <div>
          <strong>{t.otherOrderInProgress}</strong>
          <StepLine id={operation_id} />
        </div>
      </div>
    );
  if (error.status === 402)
    return (
      <div class="note bad" role="alert">
        <div>
          <strong>
            {missing
              ? t.missing(moneyText(missing.amount, missing.currency))
              : isCustomer()
                ? t.missingProvider
                : t.missingParent}
            : {line.name}
          </strong>
          <p>{t.missingText}</p>
          {isCustomer() ? (
            missing && <p>{t.askProvider(provider())}</p>
          ) : lacking === 'customer' ? (
            <ButtonLink small href="/app/customers">
              {t.fundCustomer}
            </ButtonLink>
          ) : (
            <ButtonLink small href="/app/money">
              {t.fund}
            </ButtonLink>
          )}
        </div>
      </div>
    );
  return <ErrorBanner error={error} />;
}

/** Checks whether the domain is already in this account, perhaps ordered in another browser. */
function NotAvailable({ name, error }: { readonly name: string; readonly error: ApiError }) {
  const t = messages();
  const own = useResource('/domains', { query: { domain_name: name } });
  if (own.isLoading) return null;
  if (!own.data?.some(({ domain_name }) => domain_name === name)) return <ErrorBanner error={error} />;
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{t.alreadyOwned(name)}</strong>
        <p>{t.alreadyOwnedText}</p>
        <ButtonLink small href={`/app/domains/${name}`}>
          {t.open}
        </ButtonLink>
      </div>
    </div>
  );
}
