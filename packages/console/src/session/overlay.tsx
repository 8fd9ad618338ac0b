import { Dialog } from '../components/dialog.tsx';
import { messages as common } from '../messages/common.ts';
import { Lazy } from '../shell/lazy.tsx';
import { IdentityForm } from './confirm-identity.tsx';
import { messages } from './messages.ts';
import { identityCheck, signInRequest } from './session.ts';
import { SignInForm } from './sign-in.tsx';

/** Dialogs over the current page, so that input is kept. The refused request is repeated afterwards. */
export default function SessionOverlay() {
  return (
    <>
      <ConfirmIdentity />
      <SignInAgain />
    </>
  );
}

const portalSignInAgain = () => import('../portal/sign-in-again.tsx');

function SignInAgain() {
  const t = messages();
  const request = signInRequest.value;
  if (!request) return null;
  return (
    <Dialog title={t.expiredTitle}>
      <p>{t.expiredText}</p>
      {request.before.customer ? <Lazy load={portalSignInAgain} /> : <SignInForm email={request.before.person.email} />}
      <p class="faint">{t.otherUserText}</p>
    </Dialog>
  );
}

function ConfirmIdentity() {
  const t = messages();
  const request = identityCheck.value;
  if (!request) return null;
  const leave = () => request.answer(false);
  return (
    <Dialog title={t.confirmTitle} onClose={leave}>
      <p>{t.confirmText}</p>
      <IdentityForm
        methods={request.methods}
        path="/session/sudo"
        verb={t.confirmVerb}
        onConfirmed={() => request.answer(true)}
        leave={{ label: common().cancel, act: leave }}
      />
    </Dialog>
  );
}
