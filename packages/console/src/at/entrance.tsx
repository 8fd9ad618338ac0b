import { useLocation } from 'preact-iso';
import { PageHead } from '../parts/page-head.tsx';
import { CustomerForm } from './form.tsx';
import { words } from './words.ts';

/** `/at/1000`: where customers of that account sign in, without a mark. Whose it is, is said to who is signed in alone: accounts are not to be counted from outside. */
export default function SignInAt() {
  const w = words();
  const { path } = useLocation();
  return (
    <main class="entrance">
      <div class="entrance-card">
        <PageHead title={w.title} lead={w.lead} app="" />
        <CustomerForm resellerId={/\d+/.exec(path)?.[0] ?? ''} />
        <p class="faint">{w.lost}</p>
      </div>
    </main>
  );
}
