import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { asTrouble } from '../api/trouble.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import { aboutOf, type Head, isFilled, ValueFields, type Values, valuesOf } from './template-form.tsx';
import { words } from './template-words.ts';

type Default = Shape<'DefaultZoneTemplate'>;

const setting = '/account/zone_template';

/** What new zones begin with, and why they do not where it does not fit any more. */
export function DefaultLine({ of, isWriter }: { readonly of: Default; readonly isWriter: boolean }) {
  const w = words();
  const [isBusy, setBusy] = useState(false);
  const forget = async () => {
    setBusy(true);
    try {
      await call('delete', setting, {});
      void changed(setting);
      toast(w.begunWithout);
    } catch (error) {
      toast(asTrouble(error).message);
    }
    setBusy(false);
  };
  if (of.template_id === null) return <p class="faint">{w.noDefault}</p>;
  return (
    <div class="row zone-template-default">
      <p>
        {w.defaultIs(of.name ?? of.template_id)}
        {of.problem && (
          <>
            {' '}
            <span class="wrong-text">{w.defaultProblem(of.problem)}</span>
          </>
        )}
      </p>
      {isWriter && (
        <Button busy={isBusy} onClick={() => void forget()}>
          {w.beginWithout}
        </Button>
      )}
    </div>
  );
}

/** Its values are given once and kept: nobody is asked when a name is registered. */
export function ChooseDefault({ head, onClose }: { readonly head: Head; readonly onClose: () => void }) {
  const w = words();
  const draft = useDraft<{ readonly values: Values }>(`zone_templates/${head.template_id}/default`, { values: {} });
  const { busy, trouble, send } = useSend(draft);
  const { values } = draft.value;
  const save = () => {
    const body = { template_id: head.template_id ?? '', values: valuesOf(head, values) };
    return send(
      (manner) => call('put', setting, { body }, manner),
      () => {
        void changed(setting);
        toast(w.defaultIs(head.name));
        onClose();
      },
    );
  };
  return (
    <Dialog title={w.defaultTitle(head.name)} onClose={onClose}>
      <Form onSubmit={() => void save()} trouble={trouble}>
        <p>{w.defaultSays}</p>
        <p class="faint">{aboutOf(head)}</p>
        <ValueFields
          head={head}
          values={values}
          onValue={(name, value) => draft.set((now) => ({ values: { ...now.values, [name]: value } }))}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!isFilled(head, values)}>
            {w.makeDefault}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
