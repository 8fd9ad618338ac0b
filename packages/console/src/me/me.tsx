import './me.css';
import { Card } from '../parts/card.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { who } from '../session/who.ts';
import { Authenticator } from './authenticator.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password.tsx';
import { ProfileForm } from './profile.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { OpenSessions } from './sessions.tsx';
import { words } from './words.ts';

/** Customers have a password and nothing else to look after. */
export default function Me() {
  const w = words();
  const session = who.value;
  if (!session) return null;
  const isPerson = session.customer === undefined;
  return (
    <>
      <PageHead title={w.me} lead={session.person.email} />
      <div class="stack">
        {isPerson && (
          <>
            <Passkeys />
            <Authenticator />
            <RecoveryCodes />
          </>
        )}
        <Card title={w.password}>
          <PasswordForm />
        </Card>
        {isPerson && (
          <>
            <Card title={w.profile}>
              <ProfileForm />
            </Card>
            <OpenSessions />
          </>
        )}
      </div>
    </>
  );
}
