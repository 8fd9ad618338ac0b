import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate } from '../data/resource.ts';
import { messages } from './messages.ts';

export function PasswordForm() {
  const t = messages();
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const { busy, error, perform } = useSubmit();
  const save = async () => {
    await call('put', '/me/password', { body: { password, new_password: next } });
    setPassword('');
    setNext('');
    await invalidate('/me/sessions');
    toast(t.passwordSaved);
  };
  const labels = { password: t.currentPassword, new_password: t.newPassword };
  return (
    <Form onSubmit={() => void perform(save)} error={error} labels={labels}>
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={t.currentPassword}
        value={password}
        onText={setPassword}
      />
      <TextField
        name="new_password"
        type="password"
        autoComplete="new-password"
        label={t.newPassword}
        hint={t.newPasswordHint}
        value={next}
        onText={setNext}
      />
      <div class="actions">
        <Button type="submit" busy={busy} disabled={!password || !next}>
          {t.savePassword}
        </Button>
      </div>
    </Form>
  );
}
