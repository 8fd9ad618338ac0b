import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, Trouble } from '../api/trouble.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Late } from '../shell/late.tsx';
import { askedAgain, enter } from './session.ts';
import { words } from './words.ts';

/** One answer for whatever is wrong, and it is said at the form, not at a field. */
export function asRefusal(error: unknown, sentence: string): Trouble {
  const trouble = asTrouble(error);
  return trouble.status === 401 ? new Trouble(400, { ...trouble.facts, message: sentence }) : trouble;
}

function SignInForm({ email: known = '' }: { readonly email?: string }) {
  const w = words();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const submit = async () => {
    setBusy(true);
    try {
      enter((await call('post', '/session', { body: { email, password } }, { isSignIn: true })).body);
    } catch (error) {
      setTrouble(asRefusal(error, w.wrong));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form onSubmit={() => void submit()} trouble={trouble} labels={{ email: w.email, password: w.password }}>
      <TextField name="email" type="email" autoComplete="username" label={w.email} value={email} onText={setEmail} />
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={w.password}
        value={password}
        onText={setPassword}
      />
      <Button kind="primary" type="submit" busy={busy}>
        {w.signIn}
      </Button>
    </Form>
  );
}

/** A page without the shell: nobody is signed in. */
export function Entrance({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}) {
  return (
    <main class="entrance">
      <div class="entrance-card">
        <div class="mark" aria-hidden="true" />
        <PageHead title={title} lead={lead} />
        {children}
      </div>
    </main>
  );
}

export function SignInPage() {
  const w = words();
  return (
    <Entrance title={w.title} lead={w.lead}>
      <SignInForm />
    </Entrance>
  );
}

const customerAgain = () => import('../at/again.tsx');

/** Over the page, so that nothing typed is lost. */
export function SignInAgain() {
  const w = words();
  const asked = askedAgain.value;
  if (!asked) return null;
  return (
    <Dialog title={w.overTitle}>
      <p>{w.overLead}</p>
      {asked.before.customer ? <Late load={customerAgain} /> : <SignInForm email={asked.before.person.email} />}
      <p class="faint">{w.overOther}</p>
    </Dialog>
  );
}
