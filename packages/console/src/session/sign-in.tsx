import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { useFormField } from '../components/form.tsx';
import { CredentialsForm } from './credentials-form.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { messages } from './messages.ts';
import { hasPasskeys, usePasskey } from './passkey.ts';
import { refuseImpossiblePassword } from './sign-in-error.ts';
import { SignInLayout } from './sign-in-layout.tsx';

const isSignIn = true;

async function openByPasskey() {
  const body = { passkey: await usePasskey('/session/challenge') };
  return call('post', '/session/passkey', { body }, { isSignIn });
}

export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const t = messages();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [account, setAccount] = useState('');
  const [next, setNext] = useState('');
  const open = () => {
    const there = account.trim() ? { reseller_id: account.trim(), ...(next ? { new_password: next } : {}) } : {};
    return call('post', '/session', { body: { email, password, ...there } }, { isSignIn }).catch(
      refuseImpossiblePassword,
    );
  };
  const labels = { email: t.email, password: t.password, reseller_id: t.account, new_password: t.ownPassword };
  return (
    <CredentialsForm
      labels={labels}
      verb={t.signIn}
      refused={t.incorrectCredentials}
      open={open}
      {...(hasPasskeys() ? { byPasskey: openByPasskey } : {})}
    >
      <TextField name="email" type="email" autoComplete="username" label={t.email} value={email} onText={setEmail} />
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={t.password}
        value={password}
        onText={setPassword}
      />
      <NewPassword value={next} onText={setNext} />
      <details>
        <summary>{t.firstTime}</summary>
        <TextField
          name="reseller_id"
          inputMode="numeric"
          autoComplete="off"
          label={t.account}
          hint={t.accountHint}
          isOptional
          value={account}
          onText={setAccount}
        />
      </details>
    </CredentialsForm>
  );
}

/** Shown if the password is temporary or weak. */
function NewPassword({ value, onText }: { readonly value: string; readonly onText: (text: string) => void }) {
  const t = messages();
  const { error } = useFormField('new_password');
  if (!error && !value) return null;
  return (
    <TextField
      name="new_password"
      type="password"
      autoComplete="new-password"
      label={t.ownPassword}
      hint={t.newPasswordHint}
      value={value}
      onText={onText}
    />
  );
}

export default function SignInPage() {
  const t = messages();
  const [isRecovering, setRecovering] = useState(false);
  return (
    <SignInLayout title={isRecovering ? t.forgot : t.title} lead={isRecovering ? undefined : t.lead}>
      {isRecovering ? (
        <ForgotPassword onBack={() => setRecovering(false)} />
      ) : (
        <>
          <SignInForm />
          <Button kind="quiet" onClick={() => setRecovering(true)}>
            {t.forgot}
          </Button>
        </>
      )}
    </SignInLayout>
  );
}
