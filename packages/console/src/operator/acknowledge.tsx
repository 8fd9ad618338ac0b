import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { Moment } from '../components/moment.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { now } from '../data/clock.ts';
import { invalidate } from '../data/resource.ts';
import { describeAlarm } from './describe-alarm.ts';
import { messages } from './messages.ts';

type Alarm = Schema<'Alarm'>;

const rests = [4, 24, 168, 720] as const;

export function Acknowledge({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: () => void }) {
  const t = messages();
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('24');
  const send = async () => {
    const until = new Date(now().getTime() + Number(hours) * 3_600_000 - 60_000).toISOString();
    await call('put', '/operator/alarms/acknowledgement', { body: { key: alarm.key, reason: reason.trim(), until } });
    toast(t.acknowledgedToast);
    onClose();
    await invalidate('/operator/alarms');
  };
  return (
    <ActDialog
      title={t.acknowledge}
      verb={t.acknowledge}
      onClose={onClose}
      act={send}
      labels={{ reason: t.reason, until: t.snoozeFor }}
    >
      <p>{describeAlarm(alarm)}</p>
      <p class="faint">{t.acknowledgeText}</p>
      <TextField name="reason" label={t.reason} autoComplete="off" value={reason} onText={setReason} />
      <SelectField
        name="until"
        label={t.snoozeFor}
        value={hours}
        onChoice={setHours}
        choices={rests.map((each) => ({ value: String(each), label: t.snoozeOptions[each] ?? '' }))}
      />
    </ActDialog>
  );
}

/** The acknowledgement of an alert with its reason and end, and a way to undo it. */
export function Acknowledgement({ alarm, canChange }: { readonly alarm: Alarm; readonly canChange: boolean }) {
  const t = messages();
  const [busy, setBusy] = useState(false);
  const by = alarm.acknowledged;
  if (!by) return null;
  const takeBack = async () => {
    setBusy(true);
    try {
      await call('delete', '/operator/alarms/acknowledgement', { body: { key: alarm.key } });
      await invalidate('/operator/alarms');
    } catch (cause) {
      toastError(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p class="faint">
      {t.acknowledgedBy(by.by)} {by.reason} · {t.until} <Moment at={by.until} withTime />{' '}
      {canChange && (
        <Button small busy={busy} onClick={() => void takeBack()}>
          {t.undo}
        </Button>
      )}
    </p>
  );
}
