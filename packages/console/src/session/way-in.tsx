import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Shape } from '../api/shapes.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { type Method, ProofForm } from './proof.tsx';
import { asRefusal } from './refusal.ts';
import { enter } from './session.ts';
import { words } from './words.ts';

type Opened = Shape<'Session'> | Shape<'FactorWanted'>;

interface Given {
  readonly labels: Readonly<Record<string, string>>;
  readonly verb: string;
  /** What is said when it opens nothing. */
  readonly refused: string;
  readonly open: () => Promise<{ readonly body: Opened }>;
  /** The other way in, where there is one. */
  readonly byPasskey?: () => Promise<{ readonly body: Opened }>;
  readonly onSession?: (session: Shape<'Session'>) => void;
  readonly children: ComponentChildren;
}

/** The form of every way in: what it opens is a session, or first the second step to one. */
export function WayIn({ labels, verb, refused, open, byPasskey, onSession = enter, children }: Given) {
  const w = words();
  const [methods, setMethods] = useState<Shape<'FactorWanted'>['methods']>();
  const { busy, trouble, act } = useAct((error) => asRefusal(error, refused));
  const go = (way: Given['open']) =>
    act(async () => {
      const { body } = await way();
      if ('methods' in body) setMethods(body.methods);
      else onSession(body);
    });
  if (methods?.includes('mailed_link')) return <p role="status">{w.mailedLink}</p>;
  if (methods)
    return (
      <div class="stack">
        <p>{w.secondStep}</p>
        <ProofForm
          methods={methods.filter((each): each is Method => each !== 'mailed_link')}
          path="/session/factor"
          verb={verb}
          onProven={onSession}
          leave={{ label: w.startOver, act: () => setMethods(undefined) }}
        />
      </div>
    );
  return (
    <Form onSubmit={() => void go(open)} trouble={trouble} labels={labels}>
      {children}
      <Button kind="primary" type="submit" busy={busy}>
        {verb}
      </Button>
      {byPasskey && (
        <Button icon="key" disabled={busy} onClick={() => void go(byPasskey)}>
          {w.byPasskey}
        </Button>
      )}
    </Form>
  );
}
