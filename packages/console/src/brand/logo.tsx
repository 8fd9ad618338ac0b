import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Field } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import type { Brand } from './brand.tsx';
import { brandChanged } from './changed.ts';
import { messages } from './messages.ts';

const mostBytes = 64 * 1024;

function inBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** The logo, uploaded as soon as a file is chosen. */
export function Logo({ of }: { readonly of: Brand }) {
  const t = messages();
  const { busy, error, perform } = useSubmit();
  const send = async (data: string, successText: string) => {
    await call('put', '/brand/logo', { body: { data } });
    await brandChanged();
    toast(successText);
  };
  const choose = (file: File | undefined) =>
    file &&
    perform(async () => {
      if (file.size > mostBytes) throw new ApiError(400, { message: t.logoLarge });
      await send(await inBase64(file), t.logoSaved);
    });
  const path = of.own?.logo_path;
  return (
    <Card title={t.logo}>
      <Form onSubmit={() => undefined} error={error} labels={{ data: t.logoFile }}>
        {path && (
          <p>
            <img class="logo" src={path} alt={of.own?.name ?? ''} />
          </p>
        )}
        {of.own ? (
          <Field name="data" label={t.logoFile} hint={t.logoText}>
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
          <p class="faint">{t.logoFirst}</p>
        )}
        {path && (
          <div class="actions">
            <Button busy={busy} onClick={() => void perform(() => send('', t.logoRemoved))}>
              {t.logoRemove}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  );
}
