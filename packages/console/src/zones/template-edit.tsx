import { call } from '../api/call.ts';
import type { Shape } from '../api/shapes.ts';
import { useDraft } from '../data/draft.ts';
import { changed } from '../data/resource.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useSend } from '../parts/send.ts';
import { toast } from '../parts/toast.tsx';
import { doubtText } from './mended.tsx';
import { askedIn, asLines, readTemplateLines, type Variable } from './template-lines.ts';
import { words } from './template-words.ts';

type Template = Shape<'ZoneTemplate'>;
type Kind = Variable['kind'];

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly lines: string;
  readonly isShared: boolean;
  /** By the name in the braces; of what is no longer there nothing is lost. */
  readonly asked: Readonly<Record<string, { readonly kind: Kind; readonly about: string }>>;
}

const kinds: readonly Kind[] = ['ipv4', 'ipv6', 'hostname', 'label', 'word', 'text'];
const unasked = { kind: 'text' as Kind, about: '' };

export const newTemplate: Fields = { name: '', description: '', lines: '', isShared: false, asked: {} };

export const fieldsOf = ({ name, description, rrsets, variables, is_shared }: Template): Fields => ({
  name,
  description,
  lines: asLines(rrsets),
  isShared: is_shared,
  asked: Object.fromEntries(variables.map((each) => [each.name, { kind: each.kind, about: each.about }])),
});

interface Given {
  /** One that is there, to be changed; undefined: a new one. */
  readonly of: Template | undefined;
  /** What the draft is kept under. */
  readonly object: string;
  readonly initial: Fields;
  readonly onClose: () => void;
}

/** What was typed, read as the service takes it, and how it is saved. */
function useTemplateDraft({ of, object, initial, onClose }: Given) {
  const w = words();
  const draft = useDraft<Fields>(`zone_templates/${object}`, initial);
  const { busy, trouble, send } = useSend(draft);
  const { name, description, lines, isShared, asked } = draft.value;
  const { rrsets, unread, doubt } = readTemplateLines(lines);
  const wanted = askedIn(lines);
  const wrong = doubt ? doubtText(doubt) : unread[0] === undefined ? undefined : w.unreadLine(unread[0]);
  const canSave = name.trim() !== '' && rrsets.length > 0 && wrong === undefined;
  const save = () => {
    const variables = wanted.map((each) => ({ name: each, ...(asked[each] ?? unasked) }));
    const body = { name: name.trim(), description: description.trim(), is_shared: isShared, variables, rrsets };
    const path = { template_id: of?.template_id ?? '' };
    return send(
      (manner): Promise<unknown> =>
        of
          ? call('put', '/zone_templates/{template_id}', { path, body }, { ...manner, ifMatch: `"${of.version}"` })
          : call('post', '/zone_templates', { body }, manner),
      () => {
        void changed('/zone_templates', '/account/zone_template');
        toast(w.saved(body.name));
        onClose();
      },
    );
  };
  return { draft, wanted, wrong, canSave, save, trouble, busy };
}

/** Records as lines; whatever stands in braces is asked for, and here it is said what that must be. */
export function EditTemplate(given: Given) {
  const { of, onClose } = given;
  const w = words();
  const { draft, wanted, wrong, canSave, save, trouble, busy } = useTemplateDraft(given);
  const { name, description, lines, isShared, asked } = draft.value;
  return (
    <Dialog title={of ? w.changeTitle(of.name) : w.make} onClose={onClose} size="large">
      <Form onSubmit={() => void save()} trouble={trouble} labels={{ name: w.name, rrsets: w.lines }}>
        <TextField
          name="name"
          label={w.name}
          maxLength={60}
          value={name}
          onText={(text) => draft.put({ name: text })}
        />
        <TextField
          name="description"
          label={w.description}
          isOptional
          maxLength={300}
          value={description}
          onText={(text) => draft.put({ description: text })}
        />
        <TextArea
          name="rrsets"
          label={w.lines}
          hint={w.linesHint}
          rows={8}
          value={lines}
          onText={(text) => draft.put({ lines: text })}
        />
        {wrong && <p class="wrong-text">{wrong}</p>}
        {wanted.map((each) => (
          <AskedFields
            key={each}
            name={each}
            value={asked[each] ?? unasked}
            onValue={(value) => draft.set((now) => ({ ...now, asked: { ...now.asked, [each]: value } }))}
          />
        ))}
        <Checkbox
          name="is_shared"
          label={w.share}
          hint={w.shareHint}
          checked={isShared}
          onChange={(next) => draft.put({ isShared: next })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!canSave}>
            {w.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface AskedGiven {
  readonly name: string;
  readonly value: { readonly kind: Kind; readonly about: string };
  readonly onValue: (value: { readonly kind: Kind; readonly about: string }) => void;
}

function AskedFields({ name, value, onValue }: AskedGiven) {
  const w = words();
  return (
    <div class="row zone-template-asked">
      <SelectField
        name={`kind-${name}`}
        label={w.asked(name)}
        value={value.kind}
        choices={kinds.map((kind) => ({ value: kind, label: w.kinds[kind] }))}
        onChoice={(kind) => onValue({ ...value, kind: kind as Kind })}
      />
      <TextField
        name={`about-${name}`}
        label={w.askedFor(name)}
        isOptional
        maxLength={120}
        value={value.about}
        onText={(about) => onValue({ ...value, about })}
      />
    </div>
  );
}
