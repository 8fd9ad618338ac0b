import { useState } from 'preact/hooks';
import { type ApiResponse, type CallOptions, call } from '../api/call.ts';
import { SelectField, TextField } from '../components/field.tsx';
import { withMoney } from '../components/money.tsx';
import { useResource } from '../data/resource.ts';
import { isCustomer } from '../session/current-session.ts';
import { useChange } from './change.ts';
import { messages } from './messages.ts';
import { VerbDialog } from './verb-dialog.tsx';

/** Settings that can be switched. */
export type Switch = 'lock' | 'unlock' | 'protect' | 'unprotect' | 'suspend' | 'resume' | 'hide' | 'reveal';

interface Props {
  readonly name: string;
  readonly domainId: string;
  readonly onClose: () => void;
}

function calls(
  domainId: string,
  reason: string,
  options: CallOptions,
): Record<Switch, () => Promise<ApiResponse<unknown>>> {
  const path = { domain_id: domainId };
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return {
    lock: () => call('put', '/domains/{domain_id}/locked', { path, body }, options),
    unlock: () => call('delete', '/domains/{domain_id}/locked', { path }, options),
    protect: () => call('put', '/domains/{domain_id}/theft_protection', { path, body: {} }, options),
    unprotect: () => call('delete', '/domains/{domain_id}/theft_protection', { path }, options),
    suspend: () => call('put', '/domains/{domain_id}/suspended', { path, body }, options),
    resume: () => call('delete', '/domains/{domain_id}/suspended', { path }, options),
    hide: () => call('put', '/domains/{domain_id}/privacy_protection', { path, body: {} }, options),
    reveal: () => call('delete', '/domains/{domain_id}/privacy_protection', { path }, options),
  };
}

/** Describes the effect and asks for a reason if others will see it. */
export function SwitchFlag({
  verb,
  name,
  domainId,
  isProtected,
  onClose,
}: Props & { readonly verb: Switch; readonly isProtected: boolean }) {
  const t = messages();
  const change = useChange();
  const [reason, setReason] = useState('');
  const { title, text } = t.switches[verb];
  const submit = async () => {
    if (await change.run((options) => calls(domainId, reason, options)[verb]())) onClose();
  };
  return (
    <VerbDialog
      title={`${title}: ${name}`}
      verb={t.settingVerbs[verb] ?? title}
      change={change}
      isDanger={verb === 'suspend' || verb === 'unlock' || verb === 'unprotect'}
      labels={{ reason: t.reason }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{verb === 'unlock' && isProtected ? t.unlockTextProtected : text}</p>
      {(verb === 'lock' || verb === 'suspend') && (
        <TextField name="reason" label={t.reason} isOptional value={reason} onText={setReason} />
      )}
    </VerbDialog>
  );
}

const modes = ['manual', 'renew', 'renew_once', 'delete'] as const;
type Mode = (typeof modes)[number];

/** The renewal mode with its effect. */
export function RenewalMode({ name, domainId, onClose, now }: Props & { readonly now: Mode }) {
  const t = messages();
  const change = useChange();
  const path = { domain_id: domainId };
  const [mode, setMode] = useState<Mode>(now);
  const outlook = useResource('/domains/{domain_id}/renewal_mode', { path });
  const submit = async () => {
    const body = { renewal_mode: mode };
    const act = (options: CallOptions) => call('put', '/domains/{domain_id}/renewal_mode', { path, body }, options);
    if (await change.run(act)) onClose();
  };
  return (
    <VerbDialog
      title={`${t.mode}: ${name}`}
      verb={t.save}
      change={change}
      isReady={mode !== now}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {mode === now && (now === 'renew' || now === 'renew_once') && outlook.data && (
        <p>{withMoney(outlook.data.what_happens)}</p>
      )}
      <SelectField
        name="renewal_mode"
        label={t.mode}
        value={mode}
        choices={modes
          .filter((value) => !isCustomer() || value !== 'delete')
          .map((value) => ({ value, label: t.modes[value] }))}
        hint={isCustomer() ? t.modeTextForCustomer[mode] : t.modeText[mode]}
        onChoice={(value) => setMode(value as Mode)}
      />
    </VerbDialog>
  );
}
