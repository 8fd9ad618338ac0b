import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { IdentityForm, type Method } from './confirm-identity.tsx';
import { messages } from './messages.ts';
import { enter } from './session.ts';
import { asSignInError } from './sign-in-error.ts';

type SignInResult = Schema<'Session'> | Schema<'FactorWanted'>;

interface Props {
  readonly labels: Readonly<Record<string, string>>;
  readonly verb: string;
  /** The message for incorrect credentials. */
  readonly refused: string;
  readonly open: () => Promise<{ readonly body: SignInResult }>;
  /** Sign-in with a passkey, if available. */
  readonly byPasskey?: () => Promise<{ readonly body: SignInResult }>;
  readonly onSession?: (session: Schema<'Session'>) => void;
  readonly children: ComponentChildren;
}

/** The form of all sign-ins. The result is a session or a request for two-factor authentication. */
export function CredentialsForm({ labels, verb, refused, open, byPasskey, onSession = enter, children }: Props) {
  const t = messages();
  const [methods, setMethods] = useState<Schema<'FactorWanted'>['methods']>();
  const { busy, error, perform } = useSubmit((cause) => asSignInError(cause, refused));
  const submit = (method: Props['open']) =>
    perform(async () => {
      const { body } = await method();
      if ('methods' in body) setMethods(body.methods);
      else onSession(body);
    });
  if (methods?.includes('mailed_link')) return <p role="status">{t.mailedLink}</p>;
  if (methods)
    return (
      <div class="stack">
        <p>{t.twoFactorText}</p>
        <IdentityForm
          methods={methods.filter((each): each is Method => each !== 'mailed_link')}
          path="/session/factor"
          verb={verb}
          onConfirmed={onSession}
          leave={{ label: t.startOver, act: () => setMethods(undefined) }}
        />
      </div>
    );
  return (
    <Form onSubmit={() => void submit(open)} error={error} labels={labels}>
      {children}
      <Button kind="primary" type="submit" busy={busy}>
        {verb}
      </Button>
      {byPasskey && (
        <Button icon="key" disabled={busy} onClick={() => void submit(byPasskey)}>
          {t.byPasskey}
        </Button>
      )}
    </Form>
  );
}
