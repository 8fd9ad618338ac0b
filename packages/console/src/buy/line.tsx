import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { Trouble } from '../api/trouble.ts';
import { oneWindow } from '../data/draft.ts';
import { useResource } from '../data/resource.ts';
import { type Agreed, agreedTo, type Quote, seenBefore, useQuote } from '../domains/quote.ts';
import { StepLine } from '../operations/step-line.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Badge } from '../parts/light.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { isCustomer } from '../session/who.ts';
import { type Basket, basketName, endingOf, isOrdered, type Line } from './basket.ts';
import { words } from './words.ts';

/** What the page knows of a line beyond what is typed. */
export interface Standing {
  readonly quote?: Quote | undefined;
  readonly trouble?: Trouble | undefined;
  /** The price that was seen; another one needs a new yes. */
  readonly agreed?: Agreed | undefined;
  /** Grows with each new question for the price. */
  readonly round?: number;
  readonly busy?: boolean;
  /** Sent by this window. */
  readonly isOwn?: boolean;
  readonly hasPrivacy?: boolean | undefined;
}

interface Given {
  readonly line: Line;
  readonly basket: Basket;
  readonly standing: Standing;
  readonly onStanding: (change: Standing) => void;
  readonly onLine: (line: Line | undefined) => void;
  readonly onAsk: () => void;
}

export function BasketLine(given: Given) {
  const { line, standing } = given;
  return (
    <li class="basket-line">
      {isOrdered(line) ? <Ordered {...given} /> : line.sent ? <Sent {...given} /> : <Wanted {...given} />}
      {standing.trouble && !isOrdered(line) && !line.sent && <Refused line={line} trouble={standing.trouble} />}
    </li>
  );
}

function Wanted({ line, basket, standing, onStanding, onLine }: Given) {
  const w = words();
  const { name, years } = line;
  const tld = useResource('/tlds/{name}', { path: { name: endingOf(name) } });
  const rules = tld.data?.rules;
  const hasPrivacy = rules?.privacy_offered;
  const isPrivate = basket.withPrivacy && hasPrivacy === true;
  const ready = rules || tld.trouble;
  const asked = { kind: 'register', domain_name: name, years, privacy_protection: isPrivate } as const;
  const { quote, trouble } = useQuote(ready ? asked : undefined, standing.round ?? 0);
  // Before the next click: no button offers the price of a choice that was changed.
  const choice = JSON.stringify(asked);
  useLayoutEffect(
    () => onStanding({ quote, hasPrivacy, agreed: agreedTo(standing.agreed, choice, quote) }),
    [quote, hasPrivacy, choice],
  );
  const before = seenBefore(standing.agreed, quote);
  const { min_years: least, max_years: most } = rules?.periods ?? { min_years: 1, max_years: 10 };
  const choices = Array.from({ length: most - least + 1 }, (_, n) => least + n);
  return (
    <>
      <div class="basket-row">
        <strong>
          <NameText name={name} />
        </strong>
        {quote?.premium_class && <Badge tone="accent">{w.premium(quote.premium_class)}</Badge>}
        <span class="grow" />
        <select
          aria-label={w.years(name)}
          value={String(years)}
          onChange={(event) => onLine({ ...line, years: Number(event.currentTarget.value) })}
        >
          {choices.map((n) => (
            <option key={n} value={String(n)}>
              {w.year(n)}
            </option>
          ))}
        </select>
        <span class="price">
          {quote ? <Money {...quote.total} /> : <span class="faint">{trouble ? '–' : '…'}</span>}
        </span>
        <button type="button" class="button quiet small" aria-label={w.remove(name)} onClick={() => onLine(undefined)}>
          <Icon name="close" />
        </button>
      </div>
      {trouble && trouble.code !== standing.trouble?.code && <Refused line={line} trouble={trouble} />}
      {before && quote && (
        <Changed before={before} quote={quote} onYes={() => onStanding({ agreed: { of: choice, quote } })} />
      )}
    </>
  );
}

/** Both prices stand beside each other, and nothing is ordered without a new yes. */
export function Changed(of: { readonly before: Quote; readonly quote: Quote; readonly onYes: () => void }) {
  const { before, quote, onYes } = of;
  const w = words();
  const text = ({ total }: Quote) => moneyText(total.amount, total.currency);
  const isDearer = Number(quote.total.amount) > Number(before.total.amount);
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{(isDearer ? w.rose : w.fell)(text(before), text(quote))}</strong>
        <p>{w.roseText}</p>
        <Button small onClick={onYes}>
          {w.roseYes(text(quote))}
        </Button>
      </div>
    </div>
  );
}

/** Whether a window that orders may have this in hand; false once none of them does, be it that it was closed. */
function useUnderWay(key: string): boolean {
  const [isUnderWay, setUnderWay] = useState(true);
  useEffect(() => {
    let isGone = false;
    void oneWindow(basketName, async () => {
      if (!isGone) setUnderWay(false);
    });
    return () => {
      isGone = true;
    };
  }, [key]);
  return isUnderWay;
}

/** On its way, or without an answer: the order itself is not to be placed once more, only asked about. */
function Sent({ line, standing, onAsk }: Given) {
  const w = words();
  const isUnderWay = useUnderWay(line.key);
  return (
    <>
      <div class="basket-row">
        <strong>
          <NameText name={line.name} />
        </strong>
        <span class="grow" />
        <span class="faint">{w.year(line.years)}</span>
      </div>
      {!standing.busy && isUnderWay && (
        <p class="note" role="status">
          {w.elsewhereNow(line.name)}
        </p>
      )}
      {!standing.busy && !isUnderWay && (
        <div class="note warn" role="alert">
          <div>
            <strong>{w.unknown}</strong>
            <p>{w.unknownText}</p>
            <Button small onClick={onAsk}>
              {w.ask}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

function Ordered({ line, standing }: Given) {
  const w = words();
  // This window had it on offer, and did not send it.
  const isElsewhere = standing.quote !== undefined && !standing.isOwn;
  return (
    <>
      <div class="basket-row">
        <strong>
          <NameText name={line.name} />
        </strong>
        <span class="grow" />
        <span class="faint">{w.year(line.years)}</span>
        <ButtonLink small href={`/app/domains/${line.name}`}>
          {w.open}
        </ButtonLink>
      </div>
      {isElsewhere && (
        <p class="faint" role="status">
          {w.elsewhere}
        </p>
      )}
      {line.operationId ? (
        <StepLine id={line.operationId} />
      ) : (
        <div class="note" role="status">
          {w.waiting}
        </div>
      )}
    </>
  );
}

interface Lacking {
  readonly missing?: { readonly amount: string; readonly currency: string } | null;
  readonly lacking?: string;
  readonly operation_id?: string;
}

export function Refused({ line, trouble }: { readonly line: { readonly name: string }; readonly trouble: Trouble }) {
  const w = words();
  const { missing, lacking, operation_id } = trouble.facts as Lacking;
  // Said beside the prices.
  if (trouble.code === 'price_guard') return null;
  if (trouble.code === 'domain_not_available') return <NotToBeHad name={line.name} trouble={trouble} />;
  if (trouble.code === 'idempotency_mismatch')
    return (
      <div class="note warn" role="alert">
        {w.otherContent}
      </div>
    );
  if (trouble.status === 409 && operation_id)
    return (
      <div class="note warn" role="alert">
        <div>
          <strong>{w.underWay}</strong>
          <StepLine id={operation_id} />
        </div>
      </div>
    );
  if (trouble.status === 402)
    return (
      <div class="note bad" role="alert">
        <div>
          <strong>
            {missing
              ? w.missing(moneyText(missing.amount, missing.currency))
              : isCustomer()
                ? w.missingProvider
                : w.missingParent}
            : {line.name}
          </strong>
          <p>{w.missingText}</p>
          {lacking === 'customer' ? (
            <ButtonLink small href="/app/customers">
              {w.fundCustomer}
            </ButtonLink>
          ) : (
            <ButtonLink small href="/app/money">
              {w.fund}
            </ButtonLink>
          )}
        </div>
      </div>
    );
  return <TroubleNote trouble={trouble} />;
}

/** Taken, perhaps by this very account a moment ago, in another browser: then that is what is to be known. */
function NotToBeHad({ name, trouble }: { readonly name: string; readonly trouble: Trouble }) {
  const w = words();
  const own = useResource('/domains', { query: { domain_name: name } });
  if (own.isLoading) return null;
  if (!own.data?.some(({ domain_name }) => domain_name === name)) return <TroubleNote trouble={trouble} />;
  return (
    <div class="note warn" role="alert">
      <div>
        <strong>{w.own(name)}</strong>
        <p>{w.ownText}</p>
        <ButtonLink small href={`/app/domains/${name}`}>
          {w.open}
        </ButtonLink>
      </div>
    </div>
  );
}
