import { Dialog } from '../parts/dialog.tsx';
import { Late } from '../shell/late.tsx';
import { words as common } from '../words/words.ts';
import { ProofForm } from './proof.tsx';
import { askedAgain, proofAsked } from './session.ts';
import { SignInForm } from './sign-in.tsx';
import { words } from './words.ts';

/** Over whatever is open, so that nothing typed is lost: who it is, then what was refused is sent once more. */
export default function AskedOver() {
  return (
    <>
      <Sudo />
      <SignInAgain />
    </>
  );
}

const customerAgain = () => import('../at/again.tsx');

function SignInAgain() {
  const w = words();
  const asked = askedAgain.value;
  if (!asked) return null;
  return (
    <Dialog title={w.overTitle}>
      <p>{w.overLead}</p>
      {asked.before.customer ? <Late load={customerAgain} /> : <SignInForm email={asked.before.person.email} />}
      <p class="faint">{w.overOther}</p>
    </Dialog>
  );
}

function Sudo() {
  const w = words();
  const asked = proofAsked.value;
  if (!asked) return null;
  const leave = () => asked.answer(false);
  return (
    <Dialog title={w.sudoTitle} onClose={leave}>
      <p>{w.sudoLead}</p>
      <ProofForm
        methods={asked.methods}
        path="/session/sudo"
        verb={w.sudoVerb}
        onProven={() => asked.answer(true)}
        leave={{ label: common().cancel, act: leave }}
      />
    </Dialog>
  );
}
