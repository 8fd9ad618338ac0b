import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { asApiError } from '../api/error.ts';
import type { Shape } from '../api/shapes.ts';
import { useAct } from '../components/act.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Moment } from '../components/moment.tsx';
import { toast } from '../components/toast.tsx';
import { now } from '../data/clock.ts';
import { changed } from '../data/resource.ts';
import { messages as common } from '../messages/common.ts';
import { describeAlarm } from './describe-alarm.ts';
import { messages } from './messages.ts';

type Alarm = Shape<'Alarm'>;

const rests = [4, 24, 168, 720] as const;

export function Acknowledge({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: () => void }) {
  const t = messages();
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('24');
  const { busy, error, act } = useAct();
  const send = () =>
    act(async () => {
      const until = new Date(now().getTime() + Number(hours) * 3_600_000 - 60_000).toISOString();
      await call('put', '/operator/alarms/acknowledgement', { body: { key: alarm.key, reason: reason.trim(), until } });
      toast(t.acknowledgedToast);
      onClose();
      await changed('/operator/alarms');
    });
  return (
    <Dialog title={t.acknowledge} onClose={onClose}>
      <p>{describeAlarm(alarm)}</p>
      <p class="faint">{t.acknowledgeText}</p>
      <Form onSubmit={() => void send()} error={error} labels={{ reason: t.reason, until: t.snoozeFor }}>
        <TextField name="reason" label={t.reason} autoComplete="off" value={reason} onText={setReason} />
        <SelectField
          name="until"
          label={t.snoozeFor}
          value={hours}
          onChoice={setHours}
          choices={rests.map((each) => ({ value: String(each), label: t.snoozeOptions[each] ?? '' }))}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {t.acknowledge}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
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
      await changed('/operator/alarms');
    } catch (cause) {
      toast(asApiError(cause).message);
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
