import type { Schema } from '../api/shapes.ts';
import type { IconName } from '../components/icon.tsx';
import { messages as common } from '../messages/common.ts';
import { pages } from '../pages.ts';
import { canMove, pushClock, steps } from '../sandbox/clock.ts';
import { may, mayOrder } from '../session/current-session.ts';
import { signOut } from '../session/session.ts';
import { groups, isOffered, type Place } from '../shell/page.ts';
import { setTheme, themes } from '../shell/theme.ts';
import { messages } from './messages.ts';

type OfferKind = keyof ReturnType<typeof messages>['kinds'];

/** An entry of the palette: a link or an action. */
export interface Offer {
  readonly key: string;
  readonly kind: OfferKind;
  readonly icon: IconName;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly href?: string;
  readonly act?: () => void;
}

type SearchHit = Schema<'Found'>;
const most = 8;
const matches = (label: string, text: string) =>
  label
    .toLowerCase()
    .split(/\s+/)
    .some((_, n, all) => all.slice(n).join(' ').startsWith(text));

const icons: Readonly<Record<SearchHit['kind'], IconName>> = {
  domain: 'globe',
  customer: 'users',
  operation: 'steps',
  transaction: 'coins',
  key: 'key',
  event: 'list',
};

const addresses: Readonly<Record<SearchHit['kind'], (found: SearchHit) => string>> = {
  domain: ({ title }) => `/domains/${encodeURIComponent(title)}`,
  customer: ({ id }) => `/customers/${id}`,
  operation: ({ id }) => `/operations/${id}`,
  transaction: ({ id }) => `/money?transaction=${id}`,
  key: () => '/keys',
  event: ({ id }) => `/log/events?after=${before(id)}`,
};

/** The event before this one. The log starts after a given event. */
const before = (id: string) => `evt_${String(BigInt(id.replace(/^evt_/, '')) - 1n).padStart(16, '0')}`;

const patterns = pages.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
/** Whether the console has a page for this address. */
const isThere = (address: string) => patterns.some((each) => each.test(address.split('?')[0] ?? ''));

/** Search results of the API. */
export const foundOffers = (found: readonly SearchHit[]): Offer[] =>
  found
    .map((each) => ({
      key: `${each.kind}/${each.id}`,
      kind: each.kind,
      icon: icons[each.kind],
      label: each.title || each.id,
      detail: [each.kind === 'domain' ? '' : each.id, each.detail].filter((text) => text !== '').join(' · '),
      href: addresses[each.kind](each),
    }))
    .filter(({ href }) => isThere(href));

const rank = ({ group, order }: Place) => groups.indexOf(group) * 1_000 + order;

/** Pages from the navigation. */
export function pageOffers(text: string): Offer[] {
  return pages
    .flatMap(({ path, place }) => (place && isOffered(place) ? [{ path, place }] : []))
    .filter(({ path, place }) => matches(`${place.label()} ${messages().words[path] ?? ''}`, text))
    .sort((a, b) => rank(a.place) - rank(b.place))
    .slice(0, text === '' ? 20 : most)
    .map(({ path, place }) => ({
      key: `page/${path}`,
      kind: 'page',
      icon: place.icon,
      label: place.label(),
      href: path,
    }));
}

const verbs = {
  renew: { needs: 'domains:write', icon: 'clock', href: (name: string) => `/domains/${name}?do=renew` },
  dns: { needs: 'dns:read', icon: 'server', href: (name: string) => `/domains/${name}/dns` },
  look: { needs: 'account:read', icon: 'list', href: (name: string) => `/log?object=${name}` },
} as const;
type Verb = keyof typeof verbs;
const verbNames = Object.keys(verbs) as Verb[];

/** Splits input such as "renew exa" into action and search text, in both languages. */
export function readTyped(typed: string): { readonly verb?: Verb; readonly text: string } {
  const text = typed.trim().toLowerCase();
  const [first = '', ...rest] = text.split(/\s+/);
  const { verbs: verbMessages } = messages();
  const verb = verbNames.find((each) => first === verbMessages[each].verb || first === each);
  return verb && rest.length > 0 ? { verb, text: rest.join(' ') } : { text };
}

/** With an action: that action for each result. Otherwise all actions for a domain that is typed in full. */
export function verbOffers(found: readonly SearchHit[], { verb, text }: ReturnType<typeof readTyped>): Offer[] {
  const { verbs: verbMessages } = messages();
  const names = found.filter(({ kind, title }) => kind === 'domain' && (verb || title === text));
  return names.flatMap(({ id, title }) =>
    verbNames
      .filter((each) => (!verb || each === verb) && may(verbs[each].needs) && (each !== 'renew' || mayOrder()))
      .map((each) => ({
        key: `${each}/${title}`,
        kind: 'verb' as const,
        icon: verbs[each].icon,
        label: verbMessages[each].label(title),
        href: verbs[each].href(each === 'look' ? id : encodeURIComponent(title)),
      })),
  );
}

/** Input such as "clock +90d", in both languages. */
const clockPattern = /^(?:clock|jam)\s+(\+\d{1,6}[smhdw])$/;

/** Actions without a page. */
export function actOffers(text: string): Offer[] {
  const { actions: acts } = messages();
  const themeOffers = themes.map(
    (each): Offer => ({
      key: `theme/${each}`,
      kind: 'verb',
      icon: 'sun',
      label: acts[each],
      act: () => setTheme(each),
    }),
  );
  const typed = clockPattern.exec(text)?.[1];
  const moves = canMove()
    ? (typed ? [typed] : steps).map(
        (by): Offer => ({
          key: `clock/${by}`,
          kind: 'verb',
          icon: 'clock',
          label: acts.clock(by),
          act: () => void pushClock(by),
        }),
      )
    : [];
  const out: Offer = { key: 'out', kind: 'verb', icon: 'out', label: acts.out, act: () => void signOut() };
  const me: Offer = { key: 'me', kind: 'page', icon: 'users', label: common().me, href: '/me' };
  const isMe = matches(`${common().me} ${messages().words['/me'] ?? ''}`, text);
  return text === ''
    ? []
    : [
        ...(isMe ? [me] : []),
        // The label is in one language, and the input can be in the other.
        ...(typed ? moves : []),
        ...[...themeOffers, ...(typed ? [] : moves), out].filter(({ label }) => matches(label, text)),
      ];
}
