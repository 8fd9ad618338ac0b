import { call } from '../api/call.ts';
import type { Schema } from '../api/shapes.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSend } from '../components/send.ts';
import { toast } from '../components/toast.tsx';
import { useDraft } from '../data/draft.ts';
import { invalidate } from '../data/resource.ts';
import { doubtText } from './repairs.tsx';
import { asLines, readTemplateLines, type Variable, variablesIn } from './template-lines.ts';
import { messages } from './template-messages.ts';

type Template = Schema<'ZoneTemplate'>;
type Kind = Variable['kind'];

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly lines: string;
  readonly isShared: boolean;
  /** By variable name. Entries of removed variables are kept. */
  readonly variableDrafts: Readonly<Record<string, { readonly kind: Kind; readonly about: string }>>;
}

const kinds: readonly Kind[] = ['ipv4', 'ipv6', 'hostname', 'label', 'word', 'text'];
const emptyVariable = { kind: 'text' as Kind, about: '' };

export const newTemplate: Fields = { name: '', description: '', lines: '', isShared: false, variableDrafts: {} };

export const fieldsOf = ({ name, description, rrsets, variables, is_shared }: Template): Fields => ({
  name,
  description,
  lines: asLines(rrsets),
  isShared: is_shared,
  variableDrafts: Object.fromEntries(variables.map((each) => [each.name, { kind: each.kind, about: each.about }])),
});

interface Props {
  /** The template to change; undefined for a new one. */
  readonly of: Template | undefined;
  /** The key of the draft. */
  readonly object: string;
  readonly initial: Fields;
  readonly onClose: () => void;
}

/** The inputs, the request body, and saving. */
function useTemplateDraft({ of, object, initial, onClose }: Props) {
  const t = messages();
  const draft = useDraft<Fields>(`zone_templates/${object}`, initial);
  const { busy, error, send } = useSend(draft);
  const { name, description, lines, isShared, variableDrafts } = draft.value;
  const { rrsets, unread, doubt } = readTemplateLines(lines);
  const wanted = variablesIn(lines);
  const wrong = doubt ? doubtText(doubt) : unread[0] === undefined ? undefined : t.unreadLine(unread[0]);
  const canSave = name.trim() !== '' && rrsets.length > 0 && wrong === undefined;
  const save = () => {
    const variables = wanted.map((each) => ({ name: each, ...(variableDrafts[each] ?? emptyVariable) }));
    const body = { name: name.trim(), description: description.trim(), is_shared: isShared, variables, rrsets };
    const path = { template_id: of?.template_id ?? '' };
    return send(
      (options): Promise<unknown> =>
        of
          ? call('put', '/zone_templates/{template_id}', { path, body }, { ...options, ifMatch: `"${of.version}"` })
          : call('post', '/zone_templates', { body }, options),
      () => {
        void invalidate('/zone_templates', '/account/zone_template');
        toast(t.saved(body.name));
        onClose();
      },
    );
  };
  return { draft, wanted, wrong, canSave, save, error, busy };
}

/** Edits a template as record lines, with types and labels for its variables. */
export function EditTemplate(props: Props) {
  const { of, onClose } = props;
  const t = messages();
  const { draft, wanted, wrong, canSave, save, error, busy } = useTemplateDraft(props);
  const { name, description, lines, isShared, variableDrafts } = draft.value;
  return (
    <Dialog title={of ? t.changeTitle(of.name) : t.make} onClose={onClose} size="large">
      <Form onSubmit={() => void save()} error={error} labels={{ name: t.name, rrsets: t.lines }}>
        <TextField
          name="name"
          label={t.name}
          maxLength={60}
          value={name}
          onText={(text) => draft.put({ name: text })}
        />
        <TextField
          name="description"
          label={t.description}
          isOptional
          maxLength={300}
          value={description}
          onText={(text) => draft.put({ description: text })}
        />
        <TextArea
          name="rrsets"
          label={t.lines}
          hint={t.linesHint}
          rows={8}
          value={lines}
          onText={(text) => draft.put({ lines: text })}
        />
        {wrong && <p class="wrong-text">{wrong}</p>}
        {wanted.map((each) => (
          <VariableFields
            key={each}
            name={each}
            value={variableDrafts[each] ?? emptyVariable}
            onValue={(value) =>
              draft.set((now) => ({ ...now, variableDrafts: { ...now.variableDrafts, [each]: value } }))
            }
          />
        ))}
        <Checkbox
          name="is_shared"
          label={t.share}
          hint={t.shareHint}
          checked={isShared}
          onChange={(next) => draft.put({ isShared: next })}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!canSave}>
            {t.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface VariableProps {
  readonly name: string;
  readonly value: { readonly kind: Kind; readonly about: string };
  readonly onValue: (value: { readonly kind: Kind; readonly about: string }) => void;
}

function VariableFields({ name, value, onValue }: VariableProps) {
  const t = messages();
  return (
    <div class="row zone-template-variables">
      <SelectField
        name={`kind-${name}`}
        label={t.typeOfVariable(name)}
        value={value.kind}
        choices={kinds.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
        onChoice={(kind) => onValue({ ...value, kind: kind as Kind })}
      />
      <TextField
        name={`about-${name}`}
        label={t.labelOfVariable(name)}
        isOptional
        maxLength={120}
        value={value.about}
        onText={(about) => onValue({ ...value, about })}
      />
    </div>
  );
}
