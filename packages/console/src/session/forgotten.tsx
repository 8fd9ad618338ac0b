import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { words } from './words.ts';

/** Another password, by mail; where none is sent, whom to ask. Whether somebody has the address is not said. */
export function Forgotten({ onBack }: { readonly onBack: () => void }) {
  const w = words();
  const [email, setEmail] = useState('');
  const [isMailed, setMailed] = useState<boolean>();
  const { busy, trouble, act } = useAct();
  const submit = async () => {
    const { body } = await call('post', '/recovery', { body: { email: email.trim() } }, { isSignIn: true });
    setMailed(body.is_mailed);
  };
  return (
    <Form onSubmit={() => void act(submit)} trouble={trouble} labels={{ email: w.email }}>
      {isMailed === undefined ? (
        <>
          <p>{w.forgotText}</p>
          <TextField
            name="email"
            type="email"
            autoComplete="username"
            label={w.email}
            value={email}
            onText={setEmail}
          />
          <Button kind="primary" type="submit" busy={busy}>
            {w.sendLink}
          </Button>
        </>
      ) : (
        <div class="note" role="status">
          <div>
            <strong>{isMailed ? w.linkSent : w.noMail}</strong>
            <p>{isMailed ? w.linkSentText : w.noMailText}</p>
          </div>
        </div>
      )}
      <Button kind="quiet" onClick={onBack}>
        {w.back}
      </Button>
    </Form>
  );
}
