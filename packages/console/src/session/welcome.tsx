import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { TextField } from '../components/field.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { messages } from './messages.ts';
import { enter } from './session.ts';
import { SignInLayout } from './sign-in-layout.tsx';

/** Reads the code from the fragment, which servers do not log, and removes it from the address. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  if (code) history.replaceState(null, '', `/app/welcome${location.search}`);
  return code;
}

export default function Welcome() {
  const t = messages();
  const { route } = useLocation();
  const [code, setCode] = useState(takeCode);
  // Another link, opened in a tab that shows this page, only changes the fragment.
  useEffect(() => {
    const takeNextCode = () => setCode((before) => takeCode() || before);
    addEventListener('hashchange', takeNextCode);
    return () => removeEventListener('hashchange', takeNextCode);
  }, []);
  const isReset = new URLSearchParams(location.search).has('reset');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const open = () => {
    const body = { code, password, ...(name.trim() ? { name: name.trim() } : {}) };
    return call('post', '/session/code', { body }, { isSignIn: true });
  };
  const onSession = (session: Schema<'Session'>) => {
    route('/app', true);
    enter(session);
  };
  return (
    <SignInLayout
      title={isReset ? t.reset : t.welcome}
      lead={code ? (isReset ? t.resetLead : t.welcomeLead) : t.linkIncomplete}
    >
      {code && (
        <CredentialsForm
          key={code}
          labels={{ name: t.name, password: isReset ? t.ownPassword : t.newPassword }}
          verb={isReset ? t.saveAndSignIn : t.continue}
          refused={isReset ? t.resetExpired : t.linkExpired}
          open={open}
          onSession={onSession}
        >
          {!isReset && (
            <TextField
              name="name"
              autoComplete="name"
              label={t.name}
              hint={t.nameHint}
              isOptional
              value={name}
              onText={setName}
            />
          )}
          <TextField
            name="password"
            type="password"
            autoComplete="new-password"
            label={isReset ? t.ownPassword : t.newPassword}
            hint={t.newPasswordHint}
            value={password}
            onText={setPassword}
          />
        </CredentialsForm>
      )}
      <a href="/app">{t.back}</a>
    </SignInLayout>
  );
}
