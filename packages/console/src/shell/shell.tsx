import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BrandMark } from '../components/brand-mark.tsx';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { momentText } from '../components/moment.tsx';
import { Support } from '../components/support.tsx';
import { Toasts } from '../components/toast.tsx';
import { disconnectedSince } from '../data/resource.ts';
import { liveness } from '../data/stream.ts';
import { messages } from '../messages/common.ts';
import { productName } from '../session/brand.ts';
import { currentSession, may } from '../session/current-session.ts';
import { Slot } from './lazy.tsx';
import { Navigation } from './navigation.tsx';
import { useShortcut } from './shortcut.ts';
import { isPaletteOpen } from './slots.ts';
import { AccountMenu, UserMenu } from './user-menu.tsx';
import { isOutdated } from './version.ts';

/** Bars with the state of the connection. */
function Bars() {
  const t = messages();
  const since = disconnectedSince.value;
  return (
    <div role="status">
      {since && <div class="bar bad">{t.notConnected(momentText(since, true))}</div>}
      {/* Without this scope, events cannot be read, and polling is no failure. */}
      {!since && liveness.value === 'polling' && may('account:read') && <div class="bar faint">{t.polling}</div>}
      {isOutdated.value && (
        <div class="bar accent">
          {t.newVersion}{' '}
          <Button small onClick={() => location.reload()}>
            {t.reload}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The frame of every page. In narrow windows the navigation is an overlay. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const t = messages();
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useShortcut();
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <div class={`shell${isOpen ? ' open' : ''}`}>
        <header class="side">
          <div class="side-head">
            <a href="/app" class="mark-link">
              <BrandMark />
              {productName(t.app)}
            </a>
            <Slot name="head" />
            <button
              type="button"
              class="button quiet menu-button"
              aria-label={t.menu}
              aria-expanded={isOpen}
              aria-controls="side"
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'close' : 'menu'} />
            </button>
          </div>
          <div class="side-body" id="side">
            {!currentSession.value?.customer && <AccountMenu />}
            <button type="button" class="palette-button" onClick={() => (isPaletteOpen.value = true)}>
              <Icon name="search" />
              {t.search}
              <kbd>Ctrl K</kbd>
            </button>
            <Navigation />
            <Support />
            <UserMenu />
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
