import { call } from '../api/call.ts';
import { Trouble } from '../api/trouble.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import type { Brand } from './brand.tsx';
import { brandChanged } from './changed.ts';
import { words } from './words.ts';

const mostBytes = 64 * 1024;

function inBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** The picture, saved as soon as it is chosen. */
export function Logo({ of }: { readonly of: Brand }) {
  const w = words();
  const { busy, trouble, act } = useAct();
  const send = async (data: string, said: string) => {
    await call('put', '/brand/logo', { body: { data } });
    await brandChanged();
    toast(said);
  };
  const choose = (file: File | undefined) =>
    file &&
    act(async () => {
      if (file.size > mostBytes) throw new Trouble(400, { message: w.logoLarge });
      await send(await inBase64(file), w.logoSaved);
    });
  const path = of.own?.logo_path;
  return (
    <Card title={w.logo}>
      <Form onSubmit={() => undefined} trouble={trouble} labels={{ data: w.logoFile }}>
        {path && (
          <p>
            <img class="logo" src={path} alt={of.own?.name ?? ''} />
          </p>
        )}
        {of.own ? (
          <Field name="data" label={w.logoFile} hint={w.logoText}>
            {(wired) => (
              <input
                type="file"
                accept="image/png,image/webp,image/svg+xml"
                {...wired}
                onChange={(event) => void choose(event.currentTarget.files?.[0])}
              />
            )}
          </Field>
        ) : (
          <p class="faint">{w.logoFirst}</p>
        )}
        {path && (
          <div class="actions">
            <Button busy={busy} onClick={() => void act(() => send('', w.logoRemoved))}>
              {w.logoRemove}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  );
}
