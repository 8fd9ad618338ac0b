import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Checkbox, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { enter } from '../session/session.ts';
import { incorrectCredentials, refuseImpossiblePassword } from '../session/sign-in-error.ts';
import { messages } from './messages.ts';

interface Props {
  /** The account of the provider. */
  readonly resellerId: string;
  readonly email?: string;
}

/** The sign-in form of the customer portal. Temporary or weak passwords must be replaced in the same form. */
export function PortalSignInForm({ resellerId, email: known = '' }: Props) {
  const t = messages();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [isKept, setKept] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const submit = async () => {
    setBusy(true);
    const body = { email, password, reseller_id: resellerId, keep: isKept };
    try {
      const sent = chosen === undefined ? body : { ...body, new_password: chosen };
      const { body: opened } = await call('post', '/session', { body: sent }, { isSignIn: true }).catch(
        refuseImpossiblePassword,
      );
      // Customers have no two-factor authentication.
      if ('person' in opened) enter(opened);
    } catch (cause) {
      const apiError = asApiError(cause);
      const isTemporary = chosen === undefined && apiError.fields.some(({ field }) => field === 'new_password');
      if (isTemporary) setChosen('');
      const isWrong = apiError.status === 401 || apiError.status === 404;
      setError(isTemporary ? undefined : isWrong ? incorrectCredentials(apiError, t.wrong) : apiError);
    } finally {
      setBusy(false);
    }
  };
  const labels = { email: t.email, password: t.password, new_password: t.newPassword };
  return (
    <Form onSubmit={() => void submit()} error={error} labels={labels}>
      <TextField name="email" type="email" autoComplete="username" label={t.email} value={email} onText={setEmail} />
      <TextField
        name="password"
        type="password"
        autoComplete="current-password"
        label={t.password}
        value={password}
        onText={setPassword}
      />
      {chosen === undefined ? (
        <Checkbox name="keep" label={t.keepSignedIn} hint={t.keepSignedInHint} checked={isKept} onChange={setKept} />
      ) : (
        <>
          <div class="note" role="status">
            <div>
              <strong>{t.choosePasswordTitle}</strong>
              <p>{t.choosePasswordText}</p>
            </div>
          </div>
          <TextField
            name="new_password"
            type="password"
            autoComplete="new-password"
            label={t.newPassword}
            hint={t.newPasswordHint}
            value={chosen}
            onText={setChosen}
          />
        </>
      )}
      <Button kind="primary" type="submit" busy={busy}>
        {chosen === undefined ? t.signIn : t.saveAndSignIn}
      </Button>
    </Form>
  );
}
