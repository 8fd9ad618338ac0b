import type { Name } from '@namehold/dns/editor';
import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextArea } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { messages } from './messages.ts';
import { type PastedRecord, readPaste } from './paste.ts';
import { doubtText, RepairNote } from './repairs.tsx';

interface Props {
  readonly origin: Name;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onTake: (records: readonly PastedRecord[], replaces: boolean) => void;
  readonly onClose: () => void;
}

/** Turns pasted text into records of the draft, and lists unread lines with reasons. */
export function PasteDialog({ origin, text, onText, onTake, onClose }: Props) {
  const t = messages();
  const [replaces, setReplaces] = useState(false);
  const { records, unread, repairs } = readPaste(text, origin);
  return (
    <Dialog title={t.pasteTitle} onClose={onClose} size="large">
      <Form onSubmit={() => records.length > 0 && onTake(records, replaces)} error={undefined}>
        <TextArea name="paste" label={t.pasteTitle} hint={t.pasteHint} value={text} onText={onText} rows={8} />
        {text.trim() !== '' && (
          <>
            <p aria-live="polite">
              <strong>{t.pasteFound(records.length)}</strong>
              {unread.length > 0 && ` · ${t.pasteUnread(unread.length)}`}
              <RepairNote repairs={repairs} />
            </p>
            <pre class="zone-read">
              {records
                .slice(0, 200)
                .map((each) => `${each.name} ${each.type} ${each.text}`)
                .join('\n')}
            </pre>
            {unread.length > 0 && (
              <ul class="zone-unread">
                {unread.slice(0, 50).map((each) => (
                  <li key={each.line}>
                    {`${t.line} ${each.line}: `}
                    <code>{each.text.slice(0, 120)}</code>
                    <br />
                    <span class="wrong-text">{each.doubt ? doubtText(each.doubt) : each.reason}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        <fieldset class="zone-choice">
          <legend class="unseen">{t.paste}</legend>
          {[false, true].map((each) => (
            <label key={String(each)}>
              <input type="radio" name="replaces" checked={replaces === each} onChange={() => setReplaces(each)} />{' '}
              {each ? t.replaceRecords : t.keepRecords}
            </label>
          ))}
        </fieldset>
        <div class="actions">
          <Button kind="primary" type="submit" disabled={records.length === 0}>
            {replaces ? t.replaceZone : t.addToZone}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
