import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { words } from './words.ts';

export function PasswordForm() {
  const w = words();
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const { busy, trouble, act } = useAct();
  const save = async () => {
    await call('put', '/me/password', { body: { password, new_password: next } });
    setPassword('');
    setNext('');
    await changed('/me/sessions');
    toast(w.passwordSaved);
  };
  const labels = { password: w.present, new_password: w.next };
  return (
    <Form onSubmit={() => void act(save)} trouble={trouble} labels={labels}>
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={w.present}
        value={password}
        onText={setPassword}
      />
      <TextField
        name="new_password"
        type="password"
        autoComplete="new-password"
        label={w.next}
        hint={w.nextHint}
        value={next}
        onText={setNext}
      />
      <div class="actions">
        <Button type="submit" busy={busy} disabled={!password || !next}>
          {w.savePassword}
        </Button>
      </div>
    </Form>
  );
}
