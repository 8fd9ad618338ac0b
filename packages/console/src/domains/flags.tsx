import { useState } from 'preact/hooks';
import { type Answered, call, type Manner } from '../api/call.ts';
import { useResource } from '../data/resource.ts';
import { SelectField, TextField } from '../parts/field.tsx';
import { isCustomer } from '../session/who.ts';
import { useChange } from './change.ts';
import { VerbDialog } from './verb-dialog.tsx';
import { words } from './words.ts';

/** What is switched on a name. */
export type Switch = 'lock' | 'unlock' | 'protect' | 'unprotect' | 'suspend' | 'resume' | 'hide' | 'reveal';

interface Given {
  readonly name: string;
  readonly domainId: string;
  readonly onClose: () => void;
}

function calls(domainId: string, reason: string, manner: Manner): Record<Switch, () => Promise<Answered<unknown>>> {
  const path = { domain_id: domainId };
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return {
    lock: () => call('put', '/domains/{domain_id}/locked', { path, body }, manner),
    unlock: () => call('delete', '/domains/{domain_id}/locked', { path }, manner),
    protect: () => call('put', '/domains/{domain_id}/theft_protection', { path, body: {} }, manner),
    unprotect: () => call('delete', '/domains/{domain_id}/theft_protection', { path }, manner),
    suspend: () => call('put', '/domains/{domain_id}/suspended', { path, body }, manner),
    resume: () => call('delete', '/domains/{domain_id}/suspended', { path }, manner),
    hide: () => call('put', '/domains/{domain_id}/privacy_protection', { path, body: {} }, manner),
    reveal: () => call('delete', '/domains/{domain_id}/privacy_protection', { path }, manner),
  };
}

/** One sentence of what will happen, and a reason where others will read it. */
export function SwitchFlag({ verb, name, domainId, onClose }: Given & { readonly verb: Switch }) {
  const w = words();
  const change = useChange();
  const [reason, setReason] = useState('');
  const { title, text } = w.switches[verb];
  const submit = async () => {
    if (await change.run((manner) => calls(domainId, reason, manner)[verb]())) onClose();
  };
  return (
    <VerbDialog
      title={`${title}: ${name}`}
      verb={title}
      change={change}
      isDanger={verb === 'suspend' || verb === 'unlock' || verb === 'unprotect'}
      labels={{ reason: w.reason }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{text}</p>
      {(verb === 'lock' || verb === 'suspend') && (
        <TextField name="reason" label={w.reason} isOptional value={reason} onText={setReason} />
      )}
    </VerbDialog>
  );
}

const modes = ['manual', 'renew', 'renew_once', 'delete'] as const;
type Mode = (typeof modes)[number];

/** How the name goes on at its end, with what will come of it. */
export function RenewalMode({ name, domainId, onClose, now }: Given & { readonly now: Mode }) {
  const w = words();
  const change = useChange();
  const path = { domain_id: domainId };
  const [mode, setMode] = useState<Mode>(now);
  const outlook = useResource('/domains/{domain_id}/renewal_mode', { path });
  const submit = async () => {
    const body = { renewal_mode: mode };
    const act = (manner: Manner) => call('put', '/domains/{domain_id}/renewal_mode', { path, body }, manner);
    if (await change.run(act)) onClose();
  };
  return (
    <VerbDialog
      title={`${w.mode}: ${name}`}
      verb={w.save}
      change={change}
      isReady={mode !== now}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {outlook.data && <p>{outlook.data.what_happens}</p>}
      <SelectField
        name="renewal_mode"
        label={w.mode}
        value={mode}
        choices={modes
          .filter((value) => !isCustomer() || value !== 'delete')
          .map((value) => ({ value, label: w.modes[value] }))}
        hint={w.modeText[mode]}
        onChoice={(value) => setMode(value as Mode)}
      />
    </VerbDialog>
  );
}
