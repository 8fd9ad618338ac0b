import type { Name } from '@namehold/dns/editor';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextArea } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { doubtText, MendedNote } from './mended.tsx';
import { type PastedRecord, readPaste } from './paste.ts';
import { words } from './words.ts';

interface Given {
  readonly origin: Name;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onTake: (records: readonly PastedRecord[], replaces: boolean) => void;
  readonly onClose: () => void;
}

/** Whatever was copied becomes rows of the draft; lines that were not read are listed, with the reason. */
export function PasteDialog({ origin, text, onText, onTake, onClose }: Given) {
  const w = words();
  const [replaces, setReplaces] = useState(false);
  const { records, unread, mended } = readPaste(text, origin);
  return (
    <Dialog title={w.pasteTitle} onClose={onClose} size="large">
      <Form onSubmit={() => records.length > 0 && onTake(records, replaces)} trouble={undefined}>
        <TextArea name="paste" label={w.pasteTitle} hint={w.pasteHint} value={text} onText={onText} rows={8} />
        {text.trim() !== '' && (
          <>
            <p aria-live="polite">
              <strong>{w.pasteFound(records.length)}</strong>
              {unread.length > 0 && ` · ${w.pasteUnread(unread.length)}`}
              <MendedNote mended={mended} />
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
                    {`${w.line} ${each.line}: `}
                    <code>{each.text.slice(0, 120)}</code>
                    <span class="wrong-text"> {each.doubt ? doubtText(each.doubt) : each.reason}</span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
        <fieldset class="zone-choice">
          <legend class="unseen">{w.paste}</legend>
          {[false, true].map((each) => (
            <label key={String(each)}>
              <input type="radio" name="replaces" checked={replaces === each} onChange={() => setReplaces(each)} />{' '}
              {each ? w.replaceZone : w.addToZone}
            </label>
          ))}
        </fieldset>
        <div class="actions">
          <Button kind="primary" type="submit" disabled={records.length === 0}>
            {replaces ? w.replaceZone : w.addToZone}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
