import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { signOut } from '../session/session.ts';
import { who } from '../session/who.ts';
import { words } from './words.ts';

/** Who is signed in there already goes on to the home page; anybody else is asked. */
export default function SignedIn() {
  const w = words();
  const { route } = useLocation();
  const { params } = useRoute();
  const { account, customer, person } = who.value!;
  const isHere = customer !== undefined && account.reseller_id === params.id;
  useEffect(() => {
    if (isHere) route('/app', true);
  }, [isHere]);
  if (isHere) return null;
  return (
    <>
      <PageHead title={w.title} />
      <Empty
        title={w.inAlready(person.name)}
        action={
          <div class="actions">
            <Button kind="primary" onClick={() => void signOut(location.pathname)}>
              {w.signOut}
            </Button>
            <ButtonLink href="/app">{w.home}</ButtonLink>
          </div>
        }
      >
        {w.inAlreadyText}
      </Empty>
    </>
  );
}
