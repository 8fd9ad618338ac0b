import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Waiting } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { words } from './words.ts';

/** Who mail to customers comes from. */
export function MailBrand() {
  const w = words();
  const mail = useResource('/notices/brand', {});
  return (
    <Card title={w.mail}>
      {mail.trouble && <TroubleNote trouble={mail.trouble} onAgain={mail.again} />}
      {mail.data ? <MailForm key={JSON.stringify(mail.data)} of={mail.data} /> : !mail.trouble && <Waiting />}
    </Card>
  );
}

function MailForm({ of }: { readonly of: Shape<'NoticeBrand'> }) {
  const w = words();
  const [name, setName] = useState(of.name);
  const [reply_to, setReplyTo] = useState(of.reply_to);
  const { busy, trouble, act } = useAct();
  const save = async () => {
    await call('put', '/notices/brand', { body: { name, reply_to } });
    await changed('/notices/brand');
    toast(w.mailSaved);
  };
  return (
    <Form onSubmit={() => void act(save)} trouble={trouble} labels={{ name: w.senderName, reply_to: w.replyTo }}>
      <TextField
        name="name"
        label={w.senderName}
        hint={w.senderNameHint}
        maxLength={100}
        value={name}
        onText={setName}
      />
      <TextField name="reply_to" type="email" label={w.replyTo} value={reply_to} onText={setReplyTo} />
      <div class="actions">
        <Button type="submit" busy={busy}>
          {w.save}
        </Button>
      </div>
    </Form>
  );
}
