import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { toast } from '../components/toast.tsx';
import { NewParty } from '../customers/new-party.tsx';
import { invalidate } from '../data/resource.ts';
import { messages } from './messages.ts';

/** Creates a sub-reseller. Its currency cannot change later; this account's is the default. */
export function MakeReseller({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const t = messages();
  const { route } = useLocation();
  return (
    <NewParty
      title={t.addReseller}
      of="resellers/new"
      passwordHint={t.passwordHint}
      more={{ name: 'selling_currency', label: t.currencyStays, first: currency }}
      make={async (body, idempotencyKey) => {
        const order = { selling_currency: currency, ...body };
        const made = await call('post', '/resellers', { body: order }, { idempotencyKey });
        await invalidate('/resellers');
        toast(t.made(made.body.company));
        route(`/app/resellers/${made.body.reseller_id}`);
      }}
      onClose={onClose}
    />
  );
}
