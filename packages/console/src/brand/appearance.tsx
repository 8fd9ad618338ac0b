import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { EditConflict } from '../components/edit-conflict.tsx';
import { Field, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { ActDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { may } from '../session/current-session.ts';
import type { Brand } from './brand.tsx';
import { brandChanged } from './changed.ts';
import { messages } from './messages.ts';
import { Preview } from './preview.tsx';

const fields = ['name', 'support', 'colour', 'colour_dark'] as const;

/** Name, support contact and colours, with a preview. */
export function Appearance({ of, version }: { readonly of: Brand; readonly version: string | undefined }) {
  const t = messages();
  const { own } = of;
  const chosen = {
    name: own?.name ?? '',
    support: own?.support ?? '',
    colour: own?.colour ?? '',
    colour_dark: own?.colour_dark ?? '',
  };
  const draft = useChangeDraft('brand', chosen, version);
  const [isRemoving, setRemoving] = useState(false);
  const { busy, error, perform } = useSubmit(undefined, '/brand');
  const put = (field: string) => (text: string) => draft.put({ [field]: text });
  const save = async () => {
    await call('put', '/brand', { body: draft.value }, ifMatch(draft));
    draft.clear();
    await brandChanged();
    toast(t.saved);
  };
  const labels = { name: t.name, support: t.support, colour: t.colour, colour_dark: t.colourDark };
  const { name, support, colour, colour_dark: dark } = draft.value;
  const preview = <Preview name={name} colour={colour} dark={dark} logo={own?.logo_path ?? null} />;
  if (!may('account:write')) return <Card title={t.appearance}>{preview}</Card>;
  return (
    <Card title={t.appearance}>
      <div class="brand-look">
        <Form onSubmit={() => void perform(save)} error={draft.others ? undefined : error} labels={labels}>
          <EditConflict
            draft={draft}
            of={fields.map((field) => ({ label: labels[field], text: (value: typeof chosen) => value[field] }))}
          />
          <TextField name="name" label={t.name} hint={t.nameHint} maxLength={60} value={name} onText={put('name')} />
          <TextField
            name="support"
            label={t.support}
            hint={t.supportHint}
            isOptional
            maxLength={200}
            value={support}
            onText={put('support')}
          />
          <Colour name="colour" label={t.colour} hint={t.colourHint} value={colour} onText={put('colour')} />
          <Colour
            name="colour_dark"
            label={t.colourDark}
            hint={t.colourDarkHint}
            value={dark}
            onText={put('colour_dark')}
          />
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
              {t.save}
            </Button>
            {own && <Button onClick={() => setRemoving(true)}>{t.remove}</Button>}
          </div>
        </Form>
        {preview}
      </div>
      {isRemoving && <Remove onClose={() => setRemoving(false)} />}
    </Card>
  );
}

interface ColourProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A colour as text or from the colour picker. */
function Colour({ name, label, hint, value, onText }: ColourProps) {
  const t = messages();
  return (
    <Field name={name} label={label} hint={hint} isOptional>
      {(wired) => (
        <div class="colour-field">
          <input
            type="text"
            {...wired}
            autoComplete="off"
            maxLength={20}
            value={value}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <input
            type="color"
            aria-label={t.pick(label)}
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#2a4fd0'}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

function Remove({ onClose }: { readonly onClose: () => void }) {
  const t = messages();
  const remove = async () => {
    await call('delete', '/brand', {});
    onClose();
    await brandChanged();
    toast(t.removed);
  };
  return (
    <ActDialog title={t.removeTitle} verb={t.remove} onClose={onClose} act={remove} isDanger>
      <p>{t.removeText}</p>
    </ActDialog>
  );
}
