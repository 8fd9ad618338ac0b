import { signInRequest } from '../session/session.ts';
import { PortalSignInForm } from './sign-in-form.tsx';

/** Lets a customer sign in again over the current page. */
export default function PortalSignInAgain() {
  const request = signInRequest.value;
  if (!request) return null;
  const { account, person } = request.before;
  return <PortalSignInForm resellerId={account.reseller_id} email={person.email} />;
}
