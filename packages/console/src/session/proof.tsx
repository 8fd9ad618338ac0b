import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { hasPasskeys, usePasskey } from './passkey.ts';
import { asRefusal } from './refusal.ts';
import { words } from './words.ts';

export type Method = Exclude<Shape<'FactorWanted'>['methods'][number], 'mailed_link'>;

const fields = { totp: 'code', recovery_code: 'recovery_code', password: 'password' } as const;
const kinds = {
  totp: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  recovery_code: { autoComplete: 'off' },
  password: { type: 'password', autoComplete: 'current-password' },
} as const;

interface Given {
  readonly methods: readonly Method[];
  /** The second step of signing in, or the proof again before what matters. */
  readonly path: '/session/factor' | '/session/sudo';
  readonly verb: string;
  readonly onProven: (session: Shape<'Session'>) => void;
  /** The way back. */
  readonly leave: { readonly label: string; readonly act: () => void };
}

/** By which somebody shows who it is: the best way first, the others one button away. */
export function ProofForm({ methods, path, verb, onProven, leave }: Given) {
  const w = words();
  const usable = methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const [method, setMethod] = useState<Method>(usable[0] ?? 'password');
  const [text, setText] = useState('');
  const { busy, trouble, act } = useAct((error) => asRefusal(error, w.tooLate));
  const prove = async () => {
    const given =
      method === 'passkey'
        ? { passkey: await usePasskey('/session/factor/challenge') }
        : { [fields[method]]: text.trim() };
    onProven((await call('post', path, { body: given }, { isSignIn: true })).body);
  };
  const labels = { code: w.code, recovery_code: w.recoveryCode, password: w.password };
  return (
    <Form key={method} onSubmit={() => void act(prove)} trouble={trouble} labels={labels}>
      {method === 'passkey' ? (
        <p>{w.passkeyText}</p>
      ) : (
        <TextField
          name={fields[method]}
          label={labels[fields[method]]}
          hint={method === 'password' ? undefined : w.hints[method]}
          value={text}
          onText={setText}
          {...kinds[method]}
        />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy}>
          {method === 'passkey' ? w.withPasskey : verb}
        </Button>
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              kind="quiet"
              onClick={() => {
                setText('');
                setMethod(other);
              }}
            >
              {w.instead[other]}
            </Button>
          ))}
        <Button kind="quiet" onClick={leave.act}>
          {leave.label}
        </Button>
      </div>
    </Form>
  );
}
