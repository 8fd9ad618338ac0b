import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { useSend } from '../components/send.ts';
import { toast, toastError } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { aboutOf, type Head, isFilled, ValueFields, type Values, valuesOf } from './template-form.tsx';
import { messages } from './template-messages.ts';

type Default = Schema<'DefaultZoneTemplate'>;

const setting = '/account/zone_template';

/** The default template of new zones, and the problem that prevents its use. */
export function DefaultLine({ of, isWriter }: { readonly of: Default; readonly isWriter: boolean }) {
  const t = messages();
  const [isBusy, setBusy] = useState(false);
  const removeDefault = async () => {
    setBusy(true);
    try {
      await call('delete', setting, {});
      void invalidate(setting);
      toast(t.defaultRemoved);
    } catch (cause) {
      toastError(cause);
    }
    setBusy(false);
  };
  if (of.template_id === null) return <p class="faint">{t.noDefault}</p>;
  return (
    <div class="row zone-template-default">
      <p>
        {t.defaultIs(of.name ?? of.template_id)}
        {of.problem && (
          <>
            {' '}
            <span class="wrong-text">{t.defaultProblem(of.problem)}</span>
          </>
        )}
      </p>
      {isWriter && (
        <Button busy={isBusy} onClick={() => void removeDefault()}>
          {t.removeDefault}
        </Button>
      )}
    </div>
  );
}

/** Sets the default template. Its values are stored, because registrations do not ask for them. */
export function ChooseDefault({ head, onClose }: { readonly head: Head; readonly onClose: () => void }) {
  const t = messages();
  const draft = useDraft<{ readonly values: Values }>(`zone_templates/${head.template_id}/default`, { values: {} });
  const { busy, error, send } = useSend(draft);
  const { values } = draft.value;
  const save = () => {
    const body = { template_id: head.template_id ?? '', values: valuesOf(head, values) };
    return send(
      (options) => call('put', setting, { body }, options),
      () => {
        void invalidate(setting);
        toast(t.defaultIs(head.name));
        onClose();
      },
    );
  };
  return (
    <Dialog title={t.defaultTitle(head.name)} onClose={onClose}>
      <Form onSubmit={() => void save()} error={error}>
        <p>{t.defaultText}</p>
        <p class="faint">{aboutOf(head)}</p>
        <ValueFields
          head={head}
          values={values}
          onValue={(name, value) => draft.set((now) => ({ values: { ...now.values, [name]: value } }))}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!isFilled(head, values)}>
            {t.makeDefault}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
