import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { messages } from './messages.ts';

/** Requests a password reset email, or explains the alternative if email is not set up. It does not reveal whether the email exists. */
export function ForgotPassword({ onBack }: { readonly onBack: () => void }) {
  const t = messages();
  const [email, setEmail] = useState('');
  const [isMailed, setMailed] = useState<boolean>();
  const { busy, error, perform } = useSubmit();
  const submit = async () => {
    // The service answers the same for every text, so that it does not reveal which users exist.
    if (!/^\S+@\S+\.\S+$/.test(email.trim()))
      throw new ApiError(400, { errors: [{ field: 'email', code: 'invalid', message: t.invalidEmail }] });
    const { body } = await call('post', '/recovery', { body: { email: email.trim() } }, { isSignIn: true });
    setMailed(body.is_mailed);
  };
  return (
    <Form onSubmit={() => void perform(submit)} error={error} labels={{ email: t.email }}>
      {isMailed === undefined ? (
        <>
          <p>{t.forgotText}</p>
          <TextField
            name="email"
            type="email"
            autoComplete="username"
            label={t.email}
            value={email}
            onText={setEmail}
          />
          <Button kind="primary" type="submit" busy={busy}>
            {t.sendLink}
          </Button>
        </>
      ) : (
        <div class="note" role="status">
          <div>
            <strong>{isMailed ? t.linkSent : t.noMail}</strong>
            <p>{isMailed ? t.linkSentText : t.noMailText}</p>
          </div>
        </div>
      )}
      <Button kind="quiet" onClick={onBack}>
        {t.back}
      </Button>
    </Form>
  );
}
