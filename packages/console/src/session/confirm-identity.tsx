import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { messages } from './messages.ts';
import { hasPasskeys, usePasskey } from './passkey.ts';
import { asSignInError } from './sign-in-error.ts';

export type Method = Exclude<Schema<'FactorWanted'>['methods'][number], 'mailed_link'>;

const fields = { totp: 'code', recovery_code: 'recovery_code', password: 'password' } as const;
const kinds = {
  totp: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery_code: { autoComplete: 'off' },
  password: { type: 'password', autoComplete: 'current-password' },
} as const;

interface Props {
  readonly methods: readonly Method[];
  /** Two-factor authentication at sign-in, or an identity check before a sensitive action. */
  readonly path: '/session/factor' | '/session/sudo';
  readonly verb: string;
  readonly onConfirmed: (session: Schema<'Session'>) => void;
  readonly leave: { readonly label: string; readonly act: () => void };
}

/** Confirms the user's identity with the best method; other methods are one click away. */
export function IdentityForm({ methods, ...props }: Props) {
  const usable = methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const [method, setMethod] = useState<Method>(usable[0] ?? 'password');
  // The key drops the input and the error of the method before.
  return (
    <MethodForm
      key={method}
      {...props}
      method={method}
      others={usable.filter((each) => each !== method)}
      onMethod={setMethod}
    />
  );
}

interface MethodProps extends Omit<Props, 'methods'> {
  readonly method: Method;
  readonly others: readonly Method[];
  readonly onMethod: (method: Method) => void;
}

function MethodForm({ method, others, path, verb, onConfirmed, leave, onMethod }: MethodProps) {
  const t = messages();
  const [text, setText] = useState('');
  const { busy, error, perform } = useSubmit((cause) => asSignInError(cause, t.timedOut));
  const prove = async () => {
    const props =
      method === 'passkey'
        ? { passkey: await usePasskey('/session/factor/challenge') }
        : { [fields[method]]: text.trim() };
    onConfirmed((await call('post', path, { body: props }, { isSignIn: true })).body);
  };
  const labels = { code: t.code, recovery_code: t.recoveryCode, password: t.password };
  return (
    <Form onSubmit={() => void perform(prove)} error={error} labels={labels}>
      {method === 'passkey' ? (
        <p>{t.passkeyText}</p>
      ) : (
        <TextField
          name={fields[method]}
          label={labels[fields[method]]}
          hint={method === 'password' ? undefined : t.hints[method]}
          value={text}
          onText={setText}
          {...kinds[method]}
        />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy}>
          {method === 'passkey' ? t.usePasskey : verb}
        </Button>
        {others.map((other) => (
          <Button key={other} kind="quiet" onClick={() => onMethod(other)}>
            {t.otherMethods[other]}
          </Button>
        ))}
        <Button kind="quiet" onClick={leave.act}>
          {leave.label}
        </Button>
      </div>
    </Form>
  );
}
