import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { asApiError } from './api/error.ts';
import { ButtonLink } from './components/button.tsx';
import { Empty } from './components/empty.tsx';
import { ErrorBanner } from './components/error-banner.tsx';
import { PageHead } from './components/page-head.tsx';
import { pages } from './pages.ts';
import { hostOwner, isStaffSignIn } from './session/brand.ts';
import { currentSession } from './session/current-session.ts';
import { epoch, loadSession, sessionError, setLocale } from './session/session.ts';
import { Lazy } from './shell/lazy.tsx';
import { isOffered } from './shell/page.ts';
import { Shell } from './shell/shell.tsx';
import './shell/theme.ts';
import { messages } from './messages/common.ts';
import { locale } from './messages/locale.ts';
import { reloadOnce, watchVersion } from './shell/version.ts';

const routes = pages.flatMap(({ path, formerPath, load, place }) => {
  const component = lazy(() => load().catch(reloadOnce));
  const isThere = () =>
    (!path.startsWith('/operator/') || currentSession.value?.account.is_operator === true) &&
    (!place || isOffered(place));
  return [path, ...(formerPath ? [formerPath] : [])].map((each) => ({
    isThere,
    path: `/app${each === '/' ? '' : each}`,
    component,
  }));
});

/** Pages of the navigation that a role cannot open, by address. */
const isNotAllowed = (path: string): boolean =>
  pages.some(
    ({ path: at, place }) =>
      `/app${at}` === path.replace(/\/$/, '') &&
      place !== undefined &&
      place.group !== 'operator' &&
      place.group !== 'sandbox' &&
      !currentSession.value?.customer &&
      !isOffered(place),
  );

function Missing() {
  const t = messages();
  const isRefused = isNotAllowed(useLocation().path);
  const title = isRefused ? t.notAllowed : t.missing;
  return (
    <>
      <PageHead title={title} />
      <Empty title={title} action={<ButtonLink href="/app">{t.home}</ButtonLink>}>
        {isRefused ? t.notAllowedText : t.missingText}
      </Empty>
    </>
  );
}

/** Contains errors of one page. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const [cause, reset] = useErrorBoundary();
  if (cause) return <ErrorBanner error={asApiError(cause)} onRetry={reset} />;
  return children;
}

/** Moves the focus to the title after a page change, as a browser would. */
function arrived(): void {
  scrollTo(0, 0);
  sessionStorage.removeItem('reloaded');
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

function Pages() {
  const { path } = useLocation();
  // Pages that the user cannot use do not exist.
  const own = routes.filter(({ isThere }) => isThere());
  return (
    <Guard key={path}>
      <ErrorBoundary>
        <Router onRouteChange={arrived}>
          {own.map(({ path: at, component }) => (
            <Route key={at} path={at} component={component} />
          ))}
          <Route default component={Missing} />
        </Router>
      </ErrorBoundary>
    </Guard>
  );
}

/** Loaded only if no user is signed in. */
const welcome = () => import('./session/welcome.tsx').catch(reloadOnce);
const signIn = () => import('./session/sign-in.tsx').catch(reloadOnce);
const portalSignIn = () => import('./portal/sign-in.tsx');

function App() {
  const { path } = useLocation();
  if (/^\/app\/welcome\/?$/.test(path) && !currentSession.value) return <Lazy load={welcome} />;
  if (sessionError.value) return <ErrorBanner error={sessionError.value} onRetry={() => void loadSession()} />;
  if (currentSession.value === undefined) return null;
  const isCustomers = /^\/app\/at\/\d+\/?$/.test(path) || hostOwner.value;
  const entrance = isCustomers && !isStaffSignIn.value ? portalSignIn : signIn;
  // The key replaces one form with the other, so that no input is carried over.
  if (currentSession.value === null) return <Lazy key={entrance} load={entrance} />;
  return (
    <Shell key={epoch.value}>
      <Pages />
    </Shell>
  );
}

setLocale(locale.value);
void loadSession();
watchVersion();
render(
  <LocationProvider scope="/app">
    <App />
  </LocationProvider>,
  document.getElementById('app')!,
);
