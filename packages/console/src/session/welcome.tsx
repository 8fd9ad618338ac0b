import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import type { Trouble } from '../api/trouble.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { enter } from './session.ts';
import { asRefusal, Entrance } from './sign-in.tsx';
import { words } from './words.ts';

/** The code stands in the fragment, which no log has, and leaves the address at once. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  if (code) history.replaceState(null, '', '/app/welcome');
  return code;
}

export function Welcome() {
  const w = words();
  const { route } = useLocation();
  const [code] = useState(takeCode);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>();
  const submit = async () => {
    setBusy(true);
    try {
      const body = { code, password, ...(name.trim() ? { name: name.trim() } : {}) };
      const { body: session } = await call('post', '/session/code', { body }, { isSignIn: true });
      route('/app', true);
      enter(session);
    } catch (error) {
      setTrouble(asRefusal(error, w.codeDead));
      setBusy(false);
    }
  };
  return (
    <Entrance title={w.welcome} lead={code ? w.welcomeLead : w.noCode}>
      {code && (
        <Form onSubmit={() => void submit()} trouble={trouble} labels={{ name: w.name, password: w.newPassword }}>
          <TextField
            name="name"
            autoComplete="name"
            label={w.name}
            hint={w.nameHint}
            isOptional
            value={name}
            onText={setName}
          />
          <TextField
            name="password"
            type="password"
            autoComplete="new-password"
            label={w.newPassword}
            hint={w.newPasswordHint}
            value={password}
            onText={setPassword}
          />
          <Button kind="primary" type="submit" busy={busy}>
            {w.enter}
          </Button>
        </Form>
      )}
    </Entrance>
  );
}
