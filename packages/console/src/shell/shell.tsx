import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { lostAt } from '../data/resource.ts';
import { liveness } from '../data/stream.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Mark } from '../parts/mark.tsx';
import { momentText } from '../parts/moment.tsx';
import { Support } from '../parts/support.tsx';
import { Toasts } from '../parts/toast.tsx';
import { houseName } from '../session/brand.ts';
import { who } from '../session/who.ts';
import { words } from '../words/words.ts';
import { Slot } from './late.tsx';
import { Navigation } from './navigation.tsx';
import { AccountMenu, PersonMenu } from './person-menu.tsx';
import { useShortcut } from './shortcut.ts';
import { isPaletteOpen } from './slots.ts';
import { isOutdated } from './version.ts';

/** What is wrong with the connection, said where it is always seen. */
function Bars() {
  const w = words();
  const since = lostAt.value;
  return (
    <div role="status">
      {since && <div class="bar bad">{w.notConnected(momentText(since, true))}</div>}
      {!since && liveness.value === 'asking' && <div class="bar faint">{w.asking}</div>}
      {isOutdated.value && (
        <div class="bar accent">
          {w.newVersion}{' '}
          <Button small onClick={() => location.reload()}>
            {w.reload}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Everything around a page. On a phone the navigation opens over it. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const w = words();
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useShortcut();
  return (
    <>
      <a class="skip" href="#content">
        {w.skip}
      </a>
      <div class={`shell${isOpen ? ' open' : ''}`}>
        <header class="side">
          <div class="side-head">
            <a href="/app" class="mark-link">
              <Mark />
              {houseName(w.app)}
            </a>
            <Slot name="head" />
            <button
              type="button"
              class="button quiet menu-button"
              aria-label={w.menu}
              aria-expanded={isOpen}
              aria-controls="side"
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'close' : 'menu'} />
            </button>
          </div>
          <div class="side-body" id="side">
            {!who.value?.customer && <AccountMenu />}
            <button type="button" class="palette-button" onClick={() => (isPaletteOpen.value = true)}>
              <Icon name="search" />
              {w.search}
              <kbd>Ctrl K</kbd>
            </button>
            <Navigation />
            <Support />
            <PersonMenu />
          </div>
        </header>
        <div class="column">
          <Slot name="bar" />
          <main id="content" tabIndex={-1}>
            <Bars />
            {children}
          </main>
        </div>
      </div>
      <Slot name="overlay" />
      <Toasts />
    </>
  );
}
