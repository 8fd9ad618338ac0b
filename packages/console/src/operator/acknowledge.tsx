import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { now } from '../data/clock.ts';
import { changed } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { toast } from '../parts/toast.tsx';
import { words as common } from '../words/words.ts';
import { sayAlarm } from './say-alarm.ts';
import { words } from './words.ts';

type Alarm = Shape<'Alarm'>;

const rests = [4, 24, 168, 720] as const;

export function Acknowledge({ alarm, onClose }: { readonly alarm: Alarm; readonly onClose: () => void }) {
  const w = words();
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('24');
  const { busy, trouble, act } = useAct();
  const send = () =>
    act(async () => {
      const until = new Date(now().getTime() + Number(hours) * 3_600_000 - 60_000).toISOString();
      await call('put', '/operator/alarms/acknowledgement', { body: { key: alarm.key, reason: reason.trim(), until } });
      toast(w.noted);
      onClose();
      await changed('/operator/alarms');
    });
  return (
    <Dialog title={w.acknowledge} onClose={onClose}>
      <p>{sayAlarm(alarm)}</p>
      <p class="faint">{w.acknowledgeText}</p>
      <Form onSubmit={() => void send()} trouble={trouble} labels={{ reason: w.why, until: w.restsFor }}>
        <TextField name="reason" label={w.why} autoComplete="off" value={reason} onText={setReason} />
        <SelectField
          name="until"
          label={w.restsFor}
          value={hours}
          onChoice={setHours}
          choices={rests.map((each) => ({ value: String(each), label: w.rests[each] ?? '' }))}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {w.acknowledge}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Who knows of it, why it may rest and until when; and the way to take that back. */
export function Resting({ alarm, canChange }: { readonly alarm: Alarm; readonly canChange: boolean }) {
  const w = words();
  const [busy, setBusy] = useState(false);
  const by = alarm.acknowledged;
  if (!by) return null;
  const takeBack = async () => {
    setBusy(true);
    try {
      await call('delete', '/operator/alarms/acknowledgement', { body: { key: alarm.key } });
      await changed('/operator/alarms');
    } catch (error) {
      toast(asTrouble(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p class="faint">
      {w.notedBy(by.by)} {by.reason} · {w.until} <Moment at={by.until} withTime />{' '}
      {canChange && (
        <Button small busy={busy} onClick={() => void takeBack()}>
          {w.takeBack}
        </Button>
      )}
    </p>
  );
}
