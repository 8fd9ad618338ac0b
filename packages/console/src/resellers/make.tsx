import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { NewParty } from '../customers/new-party.tsx';
import { changed } from '../data/resource.ts';
import { toast } from '../parts/toast.tsx';
import { words } from './words.ts';

/** An account below this one. Its currency stays, so it is asked for; this account's is the usual one. */
export function MakeReseller({ currency, onClose }: { readonly currency: string; readonly onClose: () => void }) {
  const w = words();
  const { route } = useLocation();
  return (
    <NewParty
      title={w.make}
      of="resellers/new"
      passwordHint={w.passwordHint}
      more={{ name: 'selling_currency', label: w.currencyStays, first: currency }}
      make={async (body, idempotencyKey) => {
        const order = { selling_currency: currency, ...body };
        const made = await call('post', '/resellers', { body: order }, { idempotencyKey });
        await changed('/resellers');
        toast(w.made(made.body.company));
        route(`/app/resellers/${made.body.reseller_id}`);
      }}
      onClose={onClose}
    />
  );
}
