import { useLocation } from 'preact-iso';
import { Icon } from '../components/icon.tsx';
import { messages } from '../messages/common.ts';
import { pages } from '../pages.ts';
import { isCustomer } from '../session/current-session.ts';
import { groups, isOffered, type Page, type Place } from './page.ts';

type Placed = Page & { readonly place: Place };

export function Navigation() {
  const t = messages();
  const { path } = useLocation();
  const offered = pages
    .filter((page): page is Placed => page.place !== undefined)
    .filter(({ place }) => isOffered(place));
  const isBelow = (to: string) => (to === '/' ? /^\/app\/?$/.test(path) : `${path}/`.startsWith(`/app${to}/`));
  // A nested page with its own navigation entry does not highlight its parent.
  const [current] = offered
    .map((page) => page.path)
    .filter(isBelow)
    .sort((a, b) => b.length - a.length);
  return (
    <nav class="navigation" aria-label={t.menu}>
      {groups.map((group) => {
        const own = offered.filter(({ place }) => place.group === group).sort((a, b) => a.place.order - b.place.order);
        if (own.length === 0) return null;
        return (
          <div key={group} class={`nav-group ${group}`}>
            {group !== 'top' && <h2>{t.groups[isCustomer() && group === 'business' ? 'account' : group]}</h2>}
            <ul>
              {own.map(({ path: to, place }) => (
                <li key={to}>
                  <a href={`/app${to === '/' ? '' : to}`} aria-current={to === current ? 'page' : undefined}>
                    <Icon name={place.icon} />
                    {place.label()}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}
