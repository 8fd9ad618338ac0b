import './me.css';
import { Card } from '../components/card.tsx';
import { PageHead } from '../components/page-head.tsx';
import { currentSession } from '../session/current-session.ts';
import { Authenticator } from './authenticator.tsx';
import { messages } from './messages.ts';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password.tsx';
import { ProfileForm } from './profile.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { OpenSessions } from './sessions.tsx';

/** Customers only have a password. */
export default function Me() {
  const t = messages();
  const session = currentSession.value;
  if (!session) return null;
  const isUser = session.customer === undefined;
  return (
    <>
      <PageHead title={t.me} lead={session.person.email} />
      <div class="stack">
        {isUser && (
          <>
            <Passkeys />
            <Authenticator />
            <RecoveryCodes />
          </>
        )}
        <Card title={t.password}>
          <PasswordForm />
        </Card>
        {isUser && (
          <>
            <Card title={t.profile}>
              <ProfileForm />
            </Card>
            <OpenSessions />
          </>
        )}
      </div>
    </>
  );
}
