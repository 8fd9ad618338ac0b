import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { toast } from '../components/toast.tsx';
import { invalidate } from '../data/resource.ts';
import { messages } from './messages.ts';
import { NewParty } from './new-party.tsx';

export function MakeCustomer({ onClose }: { readonly onClose: () => void }) {
  const t = messages();
  const { route } = useLocation();
  return (
    <NewParty
      title={t.make}
      of="customers/new"
      passwordHint={t.passwordHint}
      isCustomer
      make={async (body, idempotencyKey) => {
        const made = await call('post', '/customers', { body }, { idempotencyKey });
        await invalidate('/customers');
        toast(t.made);
        route(`/app/customers/${made.body.customer_id}`);
      }}
      onClose={onClose}
    />
  );
}
