import { askedAgain } from '../session/session.ts';
import { CustomerForm } from './form.tsx';

/** A customer whose session ended, over the page it was at. */
export default function CustomerAgain() {
  const asked = askedAgain.value;
  if (!asked) return null;
  const { account, person } = asked.before;
  return <CustomerForm resellerId={account.reseller_id} email={person.email} />;
}
