import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { DomainName } from '../components/domain-name.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { TextArea } from '../components/field.tsx';
import { Money, moneyText } from '../components/money.tsx';
import { Badge, StatusIcon } from '../components/status-icon.tsx';
import { Table } from '../components/table.tsx';
import { asciiOf } from '../data/idn.ts';
import { useResource } from '../data/resource.ts';
import { quoteLifetimeMs } from '../domains/quote.ts';
import { translated } from '../messages/sentence.ts';
import { provider } from '../session/brand.ts';
import { isCustomer, may } from '../session/current-session.ts';
import { endingOf, keywordsIn, mostNames, namesOf, usualEndings } from './cart.ts';
import { messages } from './messages.ts';

/** Availability of one domain. */
interface SearchResult {
  readonly name: string;
  readonly status: 'available' | 'regthroughus' | 'regthroughothers' | 'unknown' | 'error';
  /** With the status error: why, if known. */
  readonly code?: 'invalid_name' | 'tld_not_offered';
  readonly reason?: string;
  readonly price?: { readonly amount: string; readonly currency: string } | null;
  /** The previous price, if it changed. */
  readonly before?: SearchResult['price'];
  readonly premium?: boolean;
  readonly premium_class?: string;
}

async function queryAvailability(names: readonly string[]): Promise<SearchResult[]> {
  if (names.length === 0) return [];
  const { body } = await call('get', '/domains/availability', {
    query: { domain: names.slice(0, mostNames).join(',') as unknown as string[] },
  });
  // The API returns each result under the name as requested.
  return body.map((each) => {
    const name = String(each.domain);
    return { ...(each[name] as unknown as SearchResult), name };
  });
}

async function suggest(keyword: string, endings: readonly string[]): Promise<string[]> {
  const query = { keyword, tlds: endings.join(',') as unknown as string[], limit: 10, add_related: true };
  const { body } = await call('get', '/domains/suggestion', { query });
  return Object.entries(body).flatMap(([label, byEnding]) =>
    Object.entries(byEnding)
      .filter(([, status]) => status === 'available')
      .map(([ending]) => `${label}.${ending}`),
  );
}

const kinds = {
  available: 'good',
  regthroughus: 'bad',
  regthroughothers: 'bad',
  unknown: 'warning',
  error: 'none',
} as const;

/** The TLD sells only to trademark owners now. Such an order needs a file that this page does not take. */
function useSunrise({ name, status }: SearchResult): boolean {
  const path = { name: endingOf(asciiOf(name) ?? name) };
  const tld = useResource('/tlds/{name}', status === 'available' ? { path } : undefined);
  return tld.data?.rules.registration?.launch === 'sunrise';
}

/** With typographic quotation marks, and in the language of the page where it is known. */
const reasonText = (reason: string): string =>
  translated(reason.replaceAll(/"([^"]*)"/g, '“$1”'), messages().nameReasons);

function State({ of }: { readonly of: SearchResult }) {
  const t = messages();
  const isSunrise = useSunrise(of);
  return (
    <div class="found">
      <StatusIcon kind={isSunrise ? 'warning' : kinds[of.status]}>
        {isSunrise ? t.availability.sunrise : t.availability[of.code ?? of.status]}
      </StatusIcon>
      {of.premium && <Badge tone="accent">{t.premium(of.premium_class ?? '')}</Badge>}
      {of.reason && of.code !== 'tld_not_offered' && <p class="faint">{reasonText(of.reason)}</p>}
      {isSunrise && isCustomer() && <p class="faint">{t.orderByProvider(provider())}</p>}
    </div>
  );
}

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** In the cart. */
  readonly chosen: ReadonlySet<string>;
  /** Ordered domains, with the text of their order. */
  readonly ordered: ReadonlyMap<string, string>;
  readonly onChoose: (name: string) => void;
  readonly onShowCart: () => void;
}

/** Availability of the domains in the text. Only the latest search counts. A search waits until the offered TLDs are known. */
function useSearch(text: string) {
  const tlds = useResource('/tlds', {});
  const [found, setFound] = useState<readonly SearchResult[]>();
  const [busy, setBusy] = useState<'search' | 'suggest'>();
  const [error, setError] = useState<ApiError>();
  const offered = Object.keys(tlds.data ?? {});
  const endings = usualEndings.filter((each) => offered.includes(each));
  const usual = endings.length > 0 ? endings : offered.slice(0, usualEndings.length);
  const names = namesOf(text, usual);
  const isEmpty = keywordsIn(text).length === 0;
  const round = useRef(0);
  const work = async (kind: 'search' | 'suggest') => {
    round.current += 1;
    const mine = round.current;
    setBusy(kind);
    setError(undefined);
    try {
      const word = keywordsIn(text)[0]?.split('.')[0] ?? '';
      const wanted = kind === 'search' ? names : await suggest(word, usual.slice(0, 4));
      const known = kind === 'search' ? [] : (found ?? []);
      const fresh = await queryAvailability(wanted.filter((name) => !known.some((each) => each.name === name)));
      if (mine === round.current) setFound([...known, ...fresh]);
    } catch (cause) {
      if (mine === round.current) setError(asApiError(cause));
    } finally {
      if (mine === round.current) setBusy(undefined);
    }
  };
  /** A search that waits for the offered TLDs. */
  const [isWanted, setWanted] = useState(!isEmpty);
  const areEndingsKnown = tlds.data !== undefined || tlds.error !== undefined;
  useEffect(() => {
    if (!isWanted || !areEndingsKnown) return;
    setWanted(false);
    if (names.length > 0) void work('search');
  }, [isWanted, areEndingsKnown]);
  useRefreshedResults(found, setFound);
  return {
    usual,
    names,
    isEmpty,
    found,
    busy: isWanted ? 'search' : busy,
    error,
    search: () => setWanted(true),
    work,
  };
}

/** Refreshes results that are too old while the window is visible. */
function useRefreshedResults(
  found: readonly SearchResult[] | undefined,
  onFound: (found: readonly SearchResult[]) => void,
): void {
  useEffect(() => {
    if (!found || found.length === 0) return undefined;
    let isGone = false;
    const again = async () => {
      if (document.hidden) return;
      const fresh: readonly SearchResult[] = await queryAvailability(found.map(({ name }) => name)).catch(() => []);
      if (isGone || fresh.length === 0) return;
      onFound(
        found.map((old) => {
          const now = fresh.find(({ name }) => name === old.name) ?? old;
          const before = old.price?.amount === now.price?.amount ? old.before : old.price;
          return { ...now, before };
        }),
      );
    };
    const timer = window.setTimeout(() => {
      void again();
      // The window is hidden or the request failed: try again when it becomes visible.
      document.addEventListener('visibilitychange', again);
    }, quoteLifetimeMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [found]);
}

/** Domain search: names and keywords, checked at their registries. */
export function Search({ text, onText, chosen, ordered, onChoose, onShowCart }: Props) {
  const t = messages();
  const { usual, names, isEmpty, found, busy, error, search, work } = useSearch(text);
  return (
    <search class="name-search">
      <form
        class="form wide"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          search();
        }}
        onKeyDown={(event) => {
          // Shift+Enter adds a line; Enter searches.
          if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return;
          event.preventDefault();
          if (!isEmpty) search();
        }}
      >
        <TextArea
          name="names"
          label={t.searchLabel}
          hint={names.length > mostNames ? t.tooMany(names.length, mostNames) : t.searchHint(usual)}
          rows={2}
          value={text}
          onText={onText}
        />
        <div class="actions">
          <Button kind="primary" icon="search" type="submit" busy={busy === 'search'} disabled={isEmpty}>
            {t.search}
          </Button>
          {found && (
            <Button busy={busy === 'suggest'} disabled={isEmpty} onClick={() => void work('suggest')}>
              {t.suggest}
            </Button>
          )}
        </div>
      </form>
      {error && <ErrorBanner error={error} onRetry={() => void work('search')} />}
      {busy === 'search' && !found && <Skeleton />}
      {found && <Results found={found} chosen={chosen} ordered={ordered} onChoose={onChoose} />}
      {found && chosen.size > 0 && (
        <div class="cart-link">
          <Button onClick={onShowCart}>{t.viewCart(chosen.size)}</Button>
        </div>
      )}
    </search>
  );
}

/** The price before and after a change. */
function FoundPrice({ of }: { readonly of: SearchResult }) {
  const t = messages();
  return (
    <>
      {of.price ? <Money {...of.price} /> : <span class="faint">–</span>}
      {of.before && (
        <p class="faint" role="status">
          {t.was(moneyText(of.before.amount, of.before.currency))}
        </p>
      )}
    </>
  );
}

/** The customer price of the shortest term. That of a premium domain is known in the cart. */
function CustomerPrice({ of, list }: { readonly of: SearchResult; readonly list: Schema<'PriceList'> | undefined }) {
  const entry = list?.[endingOf(asciiOf(of.name) ?? of.name)];
  const [amount] = Object.values(entry?.create ?? {});
  if (of.status === 'available' && of.premium) return <span class="faint">{messages().priceInCart}</span>;
  if (of.status !== 'available' || !entry || !amount) return <span class="faint">–</span>;
  return <Money amount={amount} currency={entry.currency} />;
}

function Results({
  found,
  chosen,
  ordered,
  onChoose,
}: { readonly found: readonly SearchResult[] } & Pick<Props, 'chosen' | 'ordered' | 'onChoose'>) {
  const t = messages();
  const isSeller = !isCustomer() && may('customers:read');
  const list = useResource('/customers/prices', isSeller ? {} : undefined).data;
  return (
    <Table
      label={t.results}
      rows={found}
      keyOf={(row) => row.name}
      empty={<p>{t.nothing}</p>}
      columns={[
        {
          key: 'name',
          title: t.name,
          isTitle: true,
          cell: (row) => <DomainName name={asciiOf(row.name) ?? row.name} />,
        },
        { key: 'state', title: t.state, cell: (row) => <State of={row} /> },
        {
          key: 'price',
          title: isCustomer() ? t.price : t.yourCost,
          isNumber: true,
          cell: (row) => <FoundPrice of={row} />,
        },
        ...(isSeller
          ? [
              {
                key: 'customer',
                title: t.customerPrice,
                isNumber: true,
                cell: (row: SearchResult) => <CustomerPrice of={row} list={list} />,
              },
            ]
          : []),
        {
          key: 'do',
          title: t.cart,
          cell: (row) => {
            const name = asciiOf(row.name) ?? row.name;
            if (ordered.has(name)) return ordered.get(name);
            if (row.status !== 'available') return null;
            const isChosen = chosen.has(name);
            return (
              <Button
                small
                icon={isChosen ? 'check' : 'plus'}
                aria-pressed={isChosen}
                aria-label={t.addOrInCart(row.name, isChosen)}
                onClick={() => onChoose(name)}
              >
                {isChosen ? t.inCart : t.add}
              </Button>
            );
          },
        },
      ]}
    />
  );
}
