import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { asTrouble } from './api/trouble.ts';
import { pages } from './pages.ts';
import { Empty } from './parts/empty.tsx';
import { PageHead } from './parts/page-head.tsx';
import { TroubleNote } from './parts/trouble-note.tsx';
import { comesToWork, hostOwner } from './session/brand.ts';
import { epoch, loadSession, sessionTrouble, setLanguage } from './session/session.ts';
import { who } from './session/who.ts';
import { Late } from './shell/late.tsx';
import { isOffered } from './shell/page.ts';
import { Shell } from './shell/shell.tsx';
import './shell/theme.ts';
import { reloadOnce, watchVersion } from './shell/version.ts';
import { language } from './words/speak.ts';
import { words } from './words/words.ts';

const routes = pages.map(({ path, load, place }) => ({
  isThere: () =>
    (!path.startsWith('/operator/') || who.value?.account.is_operator === true) && (!place || isOffered(place)),
  path: `/app${path === '/' ? '' : path}`,
  component: lazy(() => load().catch(reloadOnce)),
}));

function Missing() {
  const w = words();
  return (
    <>
      <PageHead title={w.missing} />
      <Empty title={w.missing}>{w.missingText}</Empty>
    </>
  );
}

/** A page that fails takes nothing else with it. */
function Guard({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error) return <TroubleNote trouble={asTrouble(error)} onAgain={reset} />;
  return children;
}

/** After a change of page the focus is at its title, as a browser would have it. */
function arrived(): void {
  scrollTo(0, 0);
  sessionStorage.removeItem('reloaded');
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

function Pages() {
  const { path } = useLocation();
  // What is not offered is no page: neither one that fails nor one that is forbidden.
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

/** Who is signed in does not load them. */
const welcome = () => import('./session/welcome.tsx').catch(reloadOnce);
const signIn = () => import('./session/sign-in.tsx').catch(reloadOnce);
const customersEntrance = () => import('./at/entrance.tsx');

function App() {
  const { path } = useLocation();
  if (/^\/app\/welcome\/?$/.test(path) && !who.value) return <Late load={welcome} />;
  if (sessionTrouble.value) return <TroubleNote trouble={sessionTrouble.value} onAgain={() => void loadSession()} />;
  if (who.value === undefined) return null;
  const isCustomers = /^\/app\/at\/\d+\/?$/.test(path) || hostOwner.value;
  const entrance = isCustomers && !comesToWork.value ? customersEntrance : signIn;
  // One form is gone before the other is there: nobody types into the wrong one.
  if (who.value === null) return <Late key={entrance} load={entrance} />;
  return (
    <Shell key={epoch.value}>
      <Pages />
    </Shell>
  );
}

setLanguage(language.value);
void loadSession();
watchVersion();
render(
  <LocationProvider scope="/app">
    <App />
  </LocationProvider>,
  document.getElementById('app')!,
);
