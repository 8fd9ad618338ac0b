import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useResource } from '../data/resource.ts';
import { Icon } from '../parts/icon.tsx';
import { isPaletteOpen } from '../shell/slots.ts';
import { actOffers, foundOffers, type Offer, pageOffers, readTyped, verbOffers } from './offers.ts';
import './palette.css';
import { words } from './words.ts';

const askAfterMs = 120;
const kept = 5;
const longest = 253;

/** The same text a moment later: not every letter is a question. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), askAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useOffers(typed: string, recent: readonly Offer[]) {
  const asked = readTyped(typed);
  const settled = useSettled(asked.text);
  const search = useResource('/search', settled === '' ? undefined : { query: { q: settled } });
  const isAsking = asked.text !== settled || search.isLoading;
  const found = asked.text === settled && asked.text !== '' ? (search.data?.found ?? []) : [];
  const offers = [
    ...(typed.trim() === '' ? recent.map((each) => ({ ...each, kind: 'recent' as const })) : []),
    ...(asked.verb ? [] : foundOffers(found)),
    ...verbOffers(found, asked),
    ...(asked.verb ? [] : [...actOffers(asked.text), ...pageOffers(asked.text)]),
  ];
  return { offers, isAsking: isAsking && asked.text !== '', trouble: search.trouble };
}

export default function PaletteHere() {
  const [recent, setRecent] = useState<readonly Offer[]>([]);
  if (!isPaletteOpen.value) return null;
  const onTaken = (offer: Offer) => setRecent([offer, ...recent.filter(({ key }) => key !== offer.key)].slice(0, kept));
  return <Palette recent={recent} onTaken={onTaken} />;
}

interface Given {
  readonly recent: readonly Offer[];
  readonly onTaken: (offer: Offer) => void;
}

/** The line that is chosen, and the keys by which it is chosen and taken. */
function useChoice(id: string, { offers, isAsking }: ReturnType<typeof useOffers>, onTake: (offer: Offer) => void) {
  /** By its key, since answers come in above and below it. */
  const [chosen, setChosen] = useState<string>();
  const [isHurried, setHurried] = useState(false);
  const found = offers.findIndex(({ key, kind }) => `${kind} ${key}` === chosen);
  const at = Math.max(0, found);
  // Enter came before the answer: what comes first is meant.
  useEffect(() => {
    if (!isHurried || isAsking) return;
    setHurried(false);
    if (offers[0]) onTake(offers[0]);
  });
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at, id]);
  const choose = (n: number) => {
    const offer = offers[n];
    if (offer) setChosen(`${offer.kind} ${offer.key}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = offers.length - 1;
    if (event.key === 'ArrowDown') choose(at === last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') choose(at === 0 ? last : at - 1);
    else if (event.key === 'PageDown') choose(Math.min(last, at + 8));
    else if (event.key === 'PageUp') choose(Math.max(0, at - 8));
    else if (event.key === 'Enter' && offers[at]) onTake(offers[at]);
    else if (event.key === 'Enter') setHurried(isAsking);
    else return;
    event.preventDefault();
  };
  const begin = () => {
    setChosen(undefined);
    setHurried(false);
  };
  return { at, onKeyDown, begin };
}

/** An editable combobox in a dialog (ARIA): the focus stays in the box, arrows choose, Enter takes, Escape closes. */
function Palette({ recent, onTaken }: Given) {
  const w = words();
  const id = useId();
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const offered = useOffers(typed, recent);
  const { offers, isAsking, trouble } = offered;
  const close = () => (isPaletteOpen.value = false);
  const take = (offer: Offer) => {
    close();
    onTaken(offer);
    offer.act?.();
    if (offer.href) route(`/app${offer.href === '/' ? '' : offer.href}`);
  };
  const { at, onKeyDown, begin } = useChoice(id, offered, take);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus();
  }, []);
  const said = isAsking ? w.searching : trouble ? trouble.message : offers.length ? w.count(offers.length) : w.nothing;
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={w.title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => event.target === dialog.current && close()}
    >
      <div class="palette-box">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={w.box}
          aria-expanded={offers.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={offers.length > 0 ? `${id}-${at}` : undefined}
          placeholder={w.box}
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          maxLength={longest}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            begin();
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="button quiet small" onClick={close}>
          Esc
        </button>
      </div>
      <Offers id={id} offers={offers} at={at} onTake={take} />
      {offers.length === 0 && !isAsking && !trouble && <p class="faint palette-nothing">{w.nothingText}</p>}
      <footer>
        <span role="status">{said}</span>
        <span class="faint palette-keys">{w.keys}</span>
      </footer>
    </dialog>
  );
}

interface Shown {
  readonly id: string;
  readonly offers: readonly Offer[];
  readonly at: number;
  readonly onTake: (offer: Offer) => void;
}

function Offers({ id, offers, at, onTake }: Shown) {
  const w = words();
  const kinds = [...new Set(offers.map(({ kind }) => kind))];
  return (
    <div id={id} role="listbox" aria-label={w.title} class="palette-list" hidden={offers.length === 0}>
      {kinds.map((kind) => (
        <fieldset key={kind} aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} role="presentation" class="palette-kind">
            {w.kinds[kind]}
          </div>
          {offers.map((offer, n) =>
            offer.kind !== kind ? null : (
              <div
                key={offer.key}
                id={`${id}-${n}`}
                role="option"
                tabIndex={-1}
                aria-selected={n === at}
                onMouseDown={(event) => {
                  // Or the box would lose the focus.
                  event.preventDefault();
                  onTake(offer);
                }}
              >
                <Icon name={offer.icon} />
                <span class="palette-label">{offer.label}</span>
                {offer.detail && <span class="faint palette-detail">{offer.detail}</span>}
              </div>
            ),
          )}
        </fieldset>
      ))}
    </div>
  );
}
