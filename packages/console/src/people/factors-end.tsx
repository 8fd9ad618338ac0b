import { call } from '../api/call.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { momentText, readMoment } from '../parts/moment.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { who } from '../session/who.ts';
import { words } from './words.ts';

/** Somebody wants one's second factors removed: said on every page, for as long as it can be stopped. */
export default function FactorsEnd() {
  const w = words();
  const { busy, trouble, act } = useAct();
  const at = who.value?.factors_end_at;
  if (!at) return null;
  const keep = async () => {
    await call('delete', '/me/factor_reset', {});
    who.value = (await call('get', '/session', {})).body;
    toast(w.kept);
  };
  return (
    <div class="bar bad" role="status">
      {w.factorsEnd(momentText(readMoment(at), true))}{' '}
      <Button small busy={busy} onClick={() => void act(keep)}>
        {w.keep}
      </Button>
      {trouble && <TroubleNote trouble={trouble} />}
    </div>
  );
}
