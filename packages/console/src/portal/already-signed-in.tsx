import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { PageHead } from '../components/page-head.tsx';
import { currentSession } from '../session/current-session.ts';
import { signOut } from '../session/session.ts';
import { messages } from './messages.ts';

/** Users of this account continue to Home; others can sign out first. */
export default function AlreadySignedIn() {
  const t = messages();
  const { route } = useLocation();
  const { params } = useRoute();
  const { account, customer, person } = currentSession.value!;
  const isHere = customer !== undefined && account.reseller_id === params.id;
  useEffect(() => {
    if (isHere) route('/app', true);
  }, [isHere]);
  if (isHere) return null;
  return (
    <>
      <PageHead title={t.title} />
      <Empty
        title={t.alreadySignedIn(person.name)}
        action={
          <div class="actions">
            <Button kind="primary" onClick={() => void signOut(location.pathname)}>
              {t.signOut}
            </Button>
            <ButtonLink href="/app">{t.home}</ButtonLink>
          </div>
        }
      >
        {t.alreadySignedInText}
      </Empty>
    </>
  );
}
