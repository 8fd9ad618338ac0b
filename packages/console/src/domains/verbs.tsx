import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { changed } from '../data/resource.ts';
import { MoveName } from '../moves/move-name.tsx';
import { Button } from '../parts/button.tsx';
import { toast } from '../parts/toast.tsx';
import { isCustomer, may, mayOrder } from '../session/who.ts';
import { AuthCode } from './auth-code.tsx';
import { AnswerTransfer, DeleteName, TransferIn } from './end.tsx';
import { RenewalMode, type Switch, SwitchFlag } from './flags.tsx';
import { type Bought, Purchase } from './purchase.tsx';
import { reasonText } from './said.ts';
import { words } from './words.ts';

type Domain = Shape<'DomainDetail'>;
const verbs = [
  ...['renew', 'restore', 'privacy', 'mode', 'code', 'delete', 'approve', 'reject', 'give_up', 'other_code', 'move'],
  ...['lock', 'unlock', 'protect', 'unprotect', 'suspend', 'resume', 'hide', 'reveal'],
] as const;
export type Verb =
  | (Bought | Switch | 'mode' | 'code' | 'delete')
  | ('approve' | 'reject' | 'give_up' | 'other_code' | 'move');

/** Verbs stand in the address (`?do=renew`), so that others can lead to them. */
export const verbIn = (text: string | undefined): Verb | undefined =>
  verbs.find((each) => each === text) as Verb | undefined;

const purchases: readonly Verb[] = ['renew', 'restore', 'privacy'];
/** What a customer does with its own names; locks with a reason, suspending and letting go are its reseller's. */
const ofCustomers: readonly Verb[] = ['mode', 'code', 'protect', 'unprotect', 'hide', 'reveal'];

/** Whether who is signed in has this verb at all. */
export function isOffered(verb: Verb): boolean {
  if (purchases.includes(verb)) return mayOrder();
  return may('domains:write') && (!isCustomer() || ofCustomers.includes(verb));
}

/** The dialog of a verb; one at a time. */
export function Opened({
  verb,
  domain,
  canLeave,
  onClose,
}: {
  readonly verb: Verb | undefined;
  readonly domain: Domain;
  /** Whether it may go to another account now. */
  readonly canLeave: boolean;
  readonly onClose: () => void;
}) {
  const given = { name: domain.domain_name, domainId: domain.domain_id, onClose };
  if (verb === undefined || !isOffered(verb)) return null;
  if (purchases.includes(verb)) return <Purchase {...given} kind={verb as Bought} expires={domain.expiry_date ?? ''} />;
  switch (verb) {
    case 'mode':
      return <RenewalMode {...given} now={domain.renewal_mode} />;
    case 'code':
      return <AuthCode {...given} />;
    case 'move':
      return <MoveName domain={domain} canLeave={canLeave} onClose={onClose} />;
    case 'delete':
      return <DeleteName {...given} />;
    case 'approve':
    case 'reject':
      return <AnswerTransfer {...given} isYes={verb === 'approve'} />;
    case 'give_up':
    case 'other_code':
      return <TransferIn {...given} isCancel={verb === 'give_up'} />;
    default:
      return <SwitchFlag {...given} verb={verb as Switch} />;
  }
}

/** What a call that helps is here; the service says it as programs make it. */
const helps: readonly (readonly [RegExp, Verb])[] = [
  [/DELETE \/v1\/domains\/[^/\s]+\/locked/, 'unlock'],
  [/DELETE \/v1\/domains\/[^/\s]+\/suspended/, 'resume'],
  [/DELETE \/v1\/domains\/[^/\s]+\/theft_protection/, 'unprotect'],
  [/POST \/v1\/domains\/[^/\s]+\/restore/, 'restore'],
  [/POST \/v1\/domains\/[^/\s]+\/privacy_protection\/buy/, 'privacy'],
];

/** What removes a block, as a button where it is something to do here, and in words where it is not. */
export function Fix({ fix, onVerb }: { readonly fix: string; readonly onVerb: ((verb: Verb) => void) | undefined }) {
  const w = words();
  const verb = helps.find(([pattern]) => pattern.test(fix))?.[1];
  const operation = /POST \/v1\/operations\/([^/\s]+)\/cancel/.exec(fix)?.[1];
  const cancel = () =>
    call('post', '/operations/{operation_id}/cancel', { path: { operation_id: operation ?? '' } })
      .then(
        () => toast(w.cancelled),
        (error: unknown) => toast(asTrouble(error).message),
      )
      .then(() => changed('/operations', '/domains', '/account'));
  if (verb && onVerb)
    return (
      <Button small onClick={() => onVerb(verb)}>
        {w.helps[verb] ?? fix}
      </Button>
    );
  if (operation && onVerb)
    return (
      <Button small onClick={() => void cancel()}>
        {w.cancelOrder}
      </Button>
    );
  return (
    <span>
      {w.fix}: {reasonText(fix)}
    </span>
  );
}
