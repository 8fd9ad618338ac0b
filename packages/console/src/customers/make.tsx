import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { changed } from '../data/resource.ts';
import { toast } from '../parts/toast.tsx';
import { NewParty } from './new-party.tsx';
import { words } from './words.ts';

export function MakeCustomer({ onClose }: { readonly onClose: () => void }) {
  const w = words();
  const { route } = useLocation();
  return (
    <NewParty
      title={w.make}
      of="customers/new"
      passwordHint={w.passwordHint}
      make={async (body, idempotencyKey) => {
        const made = await call('post', '/customers', { body }, { idempotencyKey });
        await changed('/customers');
        toast(w.made);
        route(`/app/customers/${made.body.customer_id}`);
      }}
      onClose={onClose}
    />
  );
}
