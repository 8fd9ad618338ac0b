import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { asciiOf } from '../data/idn.ts';
import { useResource } from '../data/resource.ts';
import { freshMs } from '../domains/quote.ts';
import { Button } from '../parts/button.tsx';
import { Waiting } from '../parts/empty.tsx';
import { TextArea } from '../parts/field.tsx';
import { Badge, Light } from '../parts/light.tsx';
import { Money, moneyText } from '../parts/money.tsx';
import { NameText } from '../parts/name-text.tsx';
import { Table } from '../parts/table.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { mostNames, namesOf, usualEndings, wordsIn } from './basket.ts';
import { words } from './words.ts';

/** What a registry says of a name. */
interface Found {
  readonly name: string;
  readonly status: 'available' | 'regthroughus' | 'regthroughothers' | 'unknown' | 'error';
  readonly reason?: string;
  readonly price?: { readonly amount: string; readonly currency: string } | null;
  /** Another price that stood here before. */
  readonly before?: Found['price'];
  readonly premium?: boolean;
  readonly premium_class?: string;
}

async function ask(names: readonly string[]): Promise<Found[]> {
  if (names.length === 0) return [];
  const { body } = await call('get', '/domains/availability', {
    query: { domain: names.slice(0, mostNames).join(',') as unknown as string[] },
  });
  // Each answer stands under the name as it was asked for.
  return body.map((each) => {
    const name = String(each.domain);
    return { ...(each[name] as unknown as Found), name };
  });
}

async function suggest(word: string, endings: readonly string[]): Promise<string[]> {
  const query = { keyword: word, tlds: endings.join(',') as unknown as string[], limit: 10, add_related: true };
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
  unknown: 'half',
  error: 'none',
} as const;

function State({ of }: { readonly of: Found }) {
  const w = words();
  return (
    <div class="found">
      <Light kind={kinds[of.status]}>{w.found[of.status]}</Light>
      {of.premium && <Badge tone="accent">{w.premium(of.premium_class ?? '')}</Badge>}
      {of.reason && <p class="faint">{of.reason}</p>}
    </div>
  );
}

interface Given {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (name: string) => void;
}

/** What the registries say of the text: the newest question counts, and one that comes before the endings are known is not lost. */
function useSearch(text: string) {
  const tlds = useResource('/tlds', {});
  const [found, setFound] = useState<readonly Found[]>();
  const [busy, setBusy] = useState<'search' | 'suggest'>();
  const [trouble, setTrouble] = useState<Trouble>();
  const offered = Object.keys(tlds.data ?? {});
  const endings = usualEndings.filter((each) => offered.includes(each));
  const usual = endings.length > 0 ? endings : offered.slice(0, usualEndings.length);
  const names = namesOf(text, usual);
  const isEmpty = wordsIn(text).length === 0;
  const round = useRef(0);
  const work = async (kind: 'search' | 'suggest') => {
    round.current += 1;
    const mine = round.current;
    setBusy(kind);
    setTrouble(undefined);
    try {
      const word = wordsIn(text)[0]?.split('.')[0] ?? '';
      const wanted = kind === 'search' ? names : await suggest(word, usual.slice(0, 4));
      const known = kind === 'search' ? [] : (found ?? []);
      const fresh = await ask(wanted.filter((name) => !known.some((each) => each.name === name)));
      if (mine === round.current) setFound([...known, ...fresh]);
    } catch (error) {
      if (mine === round.current) setTrouble(asTrouble(error));
    } finally {
      if (mine === round.current) setBusy(undefined);
    }
  };
  /** Asked for before it is known which endings there are: done as soon as they are. */
  const [isWanted, setWanted] = useState(!isEmpty);
  const areEndingsKnown = tlds.data !== undefined || tlds.trouble !== undefined;
  useEffect(() => {
    if (!isWanted || !areEndingsKnown) return;
    setWanted(false);
    if (names.length > 0) void work('search');
  }, [isWanted, areEndingsKnown]);
  useAskedAgain(found, setFound);
  return {
    usual,
    names,
    isEmpty,
    found,
    busy: isWanted ? 'search' : busy,
    trouble,
    search: () => setWanted(true),
    work,
  };
}

/** What was found says how it is now: it is asked for again when it is old, in a window that is looked at. */
function useAskedAgain(found: readonly Found[] | undefined, onFound: (found: readonly Found[]) => void): void {
  useEffect(() => {
    if (!found || found.length === 0) return undefined;
    let isGone = false;
    const again = async () => {
      if (document.hidden) return;
      const fresh: readonly Found[] = await ask(found.map(({ name }) => name)).catch(() => []);
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
      // Hidden by then, or not answered: when it is looked at.
      document.addEventListener('visibilitychange', again);
    }, freshMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [found]);
}

/** Names and words, as many as fit; each is asked for at its registry. */
export function Search({ text, onText, chosen, onChoose }: Given) {
  const w = words();
  const { usual, names, isEmpty, found, busy, trouble, search, work } = useSearch(text);
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
          // A list is pasted with lines of its own; Enter alone searches, as in every search.
          if (event.key !== 'Enter' || event.shiftKey || !(event.target instanceof HTMLTextAreaElement)) return;
          event.preventDefault();
          if (!isEmpty) search();
        }}
      >
        <TextArea
          name="names"
          label={w.which}
          hint={names.length > mostNames ? w.tooMany(names.length, mostNames) : w.whichHint(usual)}
          rows={2}
          value={text}
          onText={onText}
        />
        <div class="actions">
          <Button kind="primary" icon="search" type="submit" busy={busy === 'search'} disabled={isEmpty}>
            {w.search}
          </Button>
          {found && (
            <Button busy={busy === 'suggest'} disabled={isEmpty} onClick={() => void work('suggest')}>
              {w.suggest}
            </Button>
          )}
        </div>
      </form>
      {trouble && <TroubleNote trouble={trouble} onAgain={() => void work('search')} />}
      {busy === 'search' && !found && <Waiting />}
      {found && <Results found={found} chosen={chosen} onChoose={onChoose} />}
    </search>
  );
}

function Results({
  found,
  chosen,
  onChoose,
}: { readonly found: readonly Found[] } & Pick<Given, 'chosen' | 'onChoose'>) {
  const w = words();
  return (
    <Table
      label={w.results}
      rows={found}
      keyOf={(row) => row.name}
      empty={<p>{w.nothing}</p>}
      columns={[
        { key: 'name', title: w.name, isTitle: true, cell: (row) => <NameText name={asciiOf(row.name) ?? row.name} /> },
        { key: 'state', title: w.state, cell: (row) => <State of={row} /> },
        {
          key: 'price',
          title: w.price,
          isNumber: true,
          cell: (row) => (
            <>
              {row.price ? <Money {...row.price} /> : <span class="faint">–</span>}
              {row.before && (
                <p class="faint" role="status">
                  {w.was(moneyText(row.before.amount, row.before.currency))}
                </p>
              )}
            </>
          ),
        },
        {
          key: 'do',
          title: w.basket,
          cell: (row) =>
            row.status === 'available' && (
              <Button
                small
                icon={chosen.has(asciiOf(row.name) ?? row.name) ? 'check' : 'plus'}
                aria-pressed={chosen.has(asciiOf(row.name) ?? row.name)}
                aria-label={w.take(row.name, chosen.has(asciiOf(row.name) ?? row.name))}
                onClick={() => onChoose(asciiOf(row.name) ?? row.name)}
              >
                {chosen.has(asciiOf(row.name) ?? row.name) ? w.taken : w.add}
              </Button>
            ),
        },
      ]}
    />
  );
}
