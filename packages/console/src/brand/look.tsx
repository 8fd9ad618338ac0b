import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { ifMatch, useChangeDraft } from '../data/draft.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Meanwhile } from '../parts/meanwhile.tsx';
import { toast } from '../parts/toast.tsx';
import { may } from '../session/who.ts';
import { words as common } from '../words/words.ts';
import type { Brand } from './brand.tsx';
import { brandChanged } from './changed.ts';
import { Preview } from './preview.tsx';
import { words } from './words.ts';

const fields = ['name', 'support', 'colour', 'colour_dark'] as const;

/** Name, help and colours, with what they look like beside them. */
export function Look({ of, version }: { readonly of: Brand; readonly version: string | undefined }) {
  const w = words();
  const { own } = of;
  const chosen = {
    name: own?.name ?? '',
    support: own?.support ?? '',
    colour: own?.colour ?? '',
    colour_dark: own?.colour_dark ?? '',
  };
  const draft = useChangeDraft('brand', chosen, version);
  const [isRemoving, setRemoving] = useState(false);
  const { busy, trouble, act } = useAct(undefined, '/brand');
  const put = (field: string) => (text: string) => draft.put({ [field]: text });
  const save = async () => {
    await call('put', '/brand', { body: draft.value }, ifMatch(draft));
    draft.clear();
    await brandChanged();
    toast(w.saved);
  };
  const labels = { name: w.name, support: w.support, colour: w.colour, colour_dark: w.colourDark };
  const { name, support, colour, colour_dark: dark } = draft.value;
  const preview = <Preview name={name} colour={colour} dark={dark} logo={own?.logo_path ?? null} />;
  if (!may('account:write')) return <Card title={w.look}>{preview}</Card>;
  return (
    <Card title={w.look}>
      <div class="brand-look">
        <Form onSubmit={() => void act(save)} trouble={draft.others ? undefined : trouble} labels={labels}>
          <Meanwhile
            draft={draft}
            of={fields.map((field) => ({ label: labels[field], text: (value: typeof chosen) => value[field] }))}
          />
          <TextField name="name" label={w.name} hint={w.nameHint} maxLength={60} value={name} onText={put('name')} />
          <TextField
            name="support"
            label={w.support}
            hint={w.supportHint}
            isOptional
            maxLength={200}
            value={support}
            onText={put('support')}
          />
          <Colour name="colour" label={w.colour} hint={w.colourHint} value={colour} onText={put('colour')} />
          <Colour
            name="colour_dark"
            label={w.colourDark}
            hint={w.colourDarkHint}
            value={dark}
            onText={put('colour_dark')}
          />
          <div class="actions">
            <Button kind="primary" type="submit" busy={busy} disabled={!!draft.others}>
              {w.save}
            </Button>
            {own && <Button onClick={() => setRemoving(true)}>{w.remove}</Button>}
          </div>
        </Form>
        {preview}
      </div>
      {isRemoving && <Remove onClose={() => setRemoving(false)} />}
    </Card>
  );
}

interface ColourGiven {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** Typed or picked. */
function Colour({ name, label, hint, value, onText }: ColourGiven) {
  const w = words();
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
            aria-label={w.pick(label)}
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#2a4fd0'}
            onInput={(event) => onText(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

function Remove({ onClose }: { readonly onClose: () => void }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const remove = async () => {
    await call('delete', '/brand', {});
    onClose();
    await brandChanged();
    toast(w.removed);
  };
  return (
    <Dialog title={w.removeTitle} onClose={onClose}>
      <Form onSubmit={() => void act(remove)} trouble={trouble}>
        <p>{w.removeText}</p>
        <div class="actions">
          <Button kind="danger" type="submit" busy={busy}>
            {w.remove}
          </Button>
          <Button onClick={onClose}>{common().cancel}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
