import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { useFormField } from '../parts/form.tsx';
import { Entrance } from './entrance.tsx';
import { Forgotten } from './forgotten.tsx';
import { hasPasskeys, usePasskey } from './passkey.ts';
import { WayIn } from './way-in.tsx';
import { words } from './words.ts';

const isSignIn = true;

async function openByPasskey() {
  const body = { passkey: await usePasskey('/session/challenge') };
  return call('post', '/session/passkey', { body }, { isSignIn });
}

export function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const w = words();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [account, setAccount] = useState('');
  const [next, setNext] = useState('');
  const open = () => {
    const there = account.trim() ? { reseller_id: account.trim(), ...(next ? { new_password: next } : {}) } : {};
    return call('post', '/session', { body: { email, password, ...there } }, { isSignIn });
  };
  const labels = { email: w.email, password: w.password, reseller_id: w.account, new_password: w.ownPassword };
  return (
    <WayIn
      labels={labels}
      verb={w.signIn}
      refused={w.wrong}
      open={open}
      {...(hasPasskeys() ? { byPasskey: openByPasskey } : {})}
    >
      <TextField name="email" type="email" autoComplete="username" label={w.email} value={email} onText={setEmail} />
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={w.password}
        value={password}
        onText={setPassword}
      />
      <NewPassword value={next} onText={setNext} />
      <details>
        <summary>{w.firstTime}</summary>
        <TextField
          name="reseller_id"
          inputMode="numeric"
          autoComplete="off"
          label={w.account}
          hint={w.accountHint}
          isOptional
          value={account}
          onText={setAccount}
        />
      </details>
    </WayIn>
  );
}

/** Asked for once the password turned out to be a temporary one, or one that anybody would guess. */
function NewPassword({ value, onText }: { readonly value: string; readonly onText: (text: string) => void }) {
  const w = words();
  const { trouble } = useFormField('new_password');
  if (!trouble && !value) return null;
  return (
    <TextField
      name="new_password"
      type="password"
      autoComplete="new-password"
      label={w.ownPassword}
      hint={w.newPasswordHint}
      value={value}
      onText={onText}
    />
  );
}

export default function SignInPage() {
  const w = words();
  const [isForgotten, setForgotten] = useState(false);
  return (
    <Entrance title={isForgotten ? w.forgot : w.title} lead={w.lead}>
      {isForgotten ? (
        <Forgotten onBack={() => setForgotten(false)} />
      ) : (
        <>
          <SignInForm />
          <Button kind="quiet" onClick={() => setForgotten(true)}>
            {w.forgot}
          </Button>
        </>
      )}
    </Entrance>
  );
}
