import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { errorLine } from '../components/error-text.ts';
import { Icon } from '../components/icon.tsx';
import { useResource } from '../data/resource.ts';
import { isPaletteOpen } from '../shell/slots.ts';
import { actOffers, foundOffers, type Offer, pageOffers, readTyped, verbOffers } from './offers.ts';
import './palette.css';
import { messages } from './messages.ts';

const debounceMs = 120;
const maxRecent = 5;
const longest = 253;

/** Delays the text, so that not every letter starts a search. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useOffers(typed: string, recent: readonly Offer[]) {
  const input = readTyped(typed);
  const settled = useDebounced(input.text);
  const search = useResource('/search', settled === '' ? undefined : { query: { q: settled } });
  const isFetching = input.text !== settled || search.isLoading;
  const found = input.text === settled && input.text !== '' ? (search.data?.found ?? []) : [];
  const offers = [
    ...(typed.trim() === '' ? recent.map((each) => ({ ...each, kind: 'recent' as const })) : []),
    ...(input.verb ? [] : foundOffers(found)),
    ...verbOffers(found, input),
    ...(input.verb ? [] : [...actOffers(input.text), ...pageOffers(input.text)]),
  ];
  return { offers, isFetching: isFetching && input.text !== '', error: search.error };
}

export default function PaletteSlot() {
  const [recent, setRecent] = useState<readonly Offer[]>([]);
  if (!isPaletteOpen.value) return null;
  const onTaken = (offer: Offer) =>
    setRecent([offer, ...recent.filter(({ key }) => key !== offer.key)].slice(0, maxRecent));
  return <Palette recent={recent} onTaken={onTaken} />;
}

interface Props {
  readonly recent: readonly Offer[];
  readonly onTaken: (offer: Offer) => void;
}

/** The selected entry, and the keys that move and open it. */
function useChoice(id: string, { offers, isFetching }: ReturnType<typeof useOffers>, onTake: (offer: Offer) => void) {
  /** Identified by key, because results can change around it. */
  const [chosen, setChosen] = useState<string>();
  const [isHurried, setHurried] = useState(false);
  const found = offers.findIndex(({ key, kind }) => `${kind} ${key}` === chosen);
  const at = Math.max(0, found);
  // Enter was pressed before the results arrived: open the first one.
  useEffect(() => {
    if (!isHurried || isFetching) return;
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
    else if (event.key === 'Enter') setHurried(isFetching);
    else return;
    event.preventDefault();
  };
  const begin = () => {
    setChosen(undefined);
    setHurried(false);
  };
  return { at, onKeyDown, begin };
}

/** An editable combobox in a dialog (ARIA). The focus stays in the text field; arrows move, Enter opens, Escape closes. */
function Palette({ recent, onTaken }: Props) {
  const t = messages();
  const id = useId();
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const offered = useOffers(typed, recent);
  const { offers, isFetching, error } = offered;
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
  const found = offers.length ? t.count(offers.length) : t.nothing;
  const status = isFetching ? t.searching : error ? errorLine(error) : found;
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t.title}
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
          aria-label={t.box}
          aria-expanded={offers.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={offers.length > 0 ? `${id}-${at}` : undefined}
          placeholder={t.box}
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
      {offers.length === 0 && !isFetching && !error && <p class="faint palette-nothing">{t.nothingText}</p>}
      <footer>
        <span role="status">{status}</span>
        <span class="faint palette-keys">{t.keys}</span>
      </footer>
    </dialog>
  );
}

interface OfferListProps {
  readonly id: string;
  readonly offers: readonly Offer[];
  readonly at: number;
  readonly onTake: (offer: Offer) => void;
}

function Offers({ id, offers, at, onTake }: OfferListProps) {
  const t = messages();
  const kinds = [...new Set(offers.map(({ kind }) => kind))];
  return (
    <div id={id} role="listbox" aria-label={t.title} class="palette-list" hidden={offers.length === 0}>
      {kinds.map((kind) => (
        <fieldset key={kind} aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} role="presentation" class="palette-kind">
            {t.kinds[kind]}
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
                  // Keeps the focus in the text field.
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
