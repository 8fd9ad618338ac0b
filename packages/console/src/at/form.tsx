import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asTrouble, Trouble } from '../api/trouble.ts';
import { Button } from '../parts/button.tsx';
import { Checkbox, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { enter } from '../session/session.ts';
import { words } from './words.ts';

interface Given {
  /** Whose customer. */
  readonly resellerId: string;
  readonly email?: string;
}

/** A customer signs in at its reseller. Who has a temporary password, or one that anybody would guess, is asked for another in the same place. */
export function CustomerForm({ resellerId, email: known = '' }: Given) {
  const w = words();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [isKept, setKept] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const submit = async () => {
    setBusy(true);
    const body = { email, password, reseller_id: resellerId, keep: isKept };
    try {
      const sent = chosen === undefined ? body : { ...body, new_password: chosen };
      const { body: opened } = await call('post', '/session', { body: sent }, { isSignIn: true });
      // Customers have no second factor, so there is no second step.
      if ('person' in opened) enter(opened);
    } catch (error) {
      const said = asTrouble(error);
      const isTemporary = chosen === undefined && said.fields.some(({ field }) => field === 'new_password');
      if (isTemporary) setChosen('');
      const isWrong = said.status === 401 || said.status === 404;
      setTrouble(isTemporary ? undefined : isWrong ? new Trouble(400, { ...said.facts, message: w.wrong }) : said);
    } finally {
      setBusy(false);
    }
  };
  const labels = { email: w.email, password: w.password, new_password: w.newPassword };
  return (
    <Form onSubmit={() => void submit()} trouble={trouble} labels={labels}>
      <TextField name="email" type="email" autoComplete="username" label={w.email} value={email} onText={setEmail} />
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={w.password}
        value={password}
        onText={setPassword}
      />
      {chosen === undefined ? (
        <Checkbox name="keep" label={w.keep} hint={w.keepHint} checked={isKept} onChange={setKept} />
      ) : (
        <>
          <div class="note" role="status">
            <div>
              <strong>{w.chooseTitle}</strong>
              <p>{w.choose}</p>
            </div>
          </div>
          <TextField
            name="new_password"
            type="password"
            autoComplete="new-password"
            label={w.newPassword}
            hint={w.newPasswordHint}
            value={chosen}
            onText={setChosen}
          />
        </>
      )}
      <Button kind="primary" type="submit" busy={busy}>
        {chosen === undefined ? w.signIn : w.goOn}
      </Button>
    </Form>
  );
}
