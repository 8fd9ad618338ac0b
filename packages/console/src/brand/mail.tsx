import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/empty.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { messages } from './messages.ts';

/** The sender of emails to customers. */
export function MailBrand() {
  const t = messages();
  const mail = useResource('/notices/brand', {});
  return (
    <Card title={t.mail}>
      {mail.error && <ErrorBanner error={mail.error} onRetry={mail.refetch} />}
      {mail.data ? <MailForm key={JSON.stringify(mail.data)} of={mail.data} /> : !mail.error && <Skeleton />}
    </Card>
  );
}

function MailForm({ of }: { readonly of: Schema<'NoticeBrand'> }) {
  const t = messages();
  const [name, setName] = useState(of.name);
  const [reply_to, setReplyTo] = useState(of.reply_to);
  const { busy, error, perform } = useSubmit();
  const save = async () => {
    await call('put', '/notices/brand', { body: { name, reply_to } });
    await invalidate('/notices/brand');
    toast(t.mailSaved);
  };
  return (
    <Form onSubmit={() => void perform(save)} error={error} labels={{ name: t.senderName, reply_to: t.replyTo }}>
      <TextField
        name="name"
        label={t.senderName}
        hint={t.senderNameHint}
        maxLength={100}
        value={name}
        onText={setName}
      />
      <TextField name="reply_to" type="email" label={t.replyTo} value={reply_to} onText={setReplyTo} />
      <div class="actions">
        <Button type="submit" busy={busy}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}
