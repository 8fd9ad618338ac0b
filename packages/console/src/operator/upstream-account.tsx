import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { Button } from '../components/button.tsx';
import { Checkbox, SelectField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { type AccountDraft, accountBody, type Service, type Tested } from './upstream-draft.ts';
import { messages } from './upstream-messages.ts';

/** Problems whose cause is the value of a field. The others are shown above the form. */
const fieldOf: Readonly<Record<string, string>> = { login: 'secret', currency: 'currency' };

/** The refusal of a service, in the language of the user, with the message of the service. */
function refusalOf({ problem, upstream_message: said }: Tested, { title, hint, service }: Service): ApiError {
  const t = messages();
  const text = [
    t.problems[problem ?? 'answer']?.(title) ?? '',
    ...(problem === 'login' ? [t.hints[service] ?? t.hints[dialectOf(service)] ?? hint] : []),
    ...(said ? [t.said(said)] : []),
  ].join(' ');
  const field = fieldOf[problem ?? ''];
  return new ApiError(400, {
    code: 'account_refused',
    message: text,
    ...(field ? { errors: [{ field, code: 'refused', message: text }] } : {}),
  });
}

/** Brands of LogicBoxes have the same panel. */
const dialectOf = (service: string): string =>
  ['resellerclub', 'netearthone', 'resell.biz', 'reseller.id'].includes(service) ? 'logicboxes' : service;

interface Props {
  readonly services: readonly Service[];
  readonly draft: AccountDraft;
  readonly onDraft: (change: Partial<AccountDraft>) => void;
  readonly onTested: (tested: Tested) => void;
}

/** Which account, and whether it works. */
export function AccountStep({ services, draft, onDraft, onTested }: Props) {
  const t = messages();
  const { busy, error, perform } = useSubmit();
  const service = services.find((each) => each.service === draft.service) ?? services[0]!;
  const labelOf = (label: string) => {
    const text = t.labels[label] ?? label;
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  };
  const submit = () =>
    perform(async () => {
      const { body } = await call('post', '/operator/upstreams/test', { body: accountBody(draft, service) });
      if (!body.ok) throw refusalOf(body, service);
      onTested(body);
    });
  return (
    <Form onSubmit={() => void submit()} error={error}>
      <SelectField
        name="service"
        label={t.service}
        hint={t.otherService}
        value={service.service}
        choices={services.map((each) => ({ value: each.service, label: each.title }))}
        onChoice={(chosen) => onDraft({ service: chosen, isTestSystem: false })}
      />
      {service.fields.map(({ name, label, is_secret }) => (
        <TextField
          key={name}
          name={name}
          label={labelOf(label)}
          type={is_secret ? 'password' : 'text'}
          autoComplete={is_secret ? 'new-password' : 'off'}
          spellcheck={false}
          hint={is_secret ? t.secretHint : undefined}
          value={draft.fields[name] ?? ''}
          onText={(text) => onDraft({ fields: { ...draft.fields, [name]: text } })}
        />
      ))}
      <TextField
        name="currency"
        label={t.currency}
        placeholder={t.currencyExample}
        maxLength={3}
        autoComplete="off"
        value={draft.currency}
        onText={(currency) => onDraft({ currency })}
      />
      {service.has_test_system && (
        <Checkbox
          name="test_system"
          label={t.testSystem}
          checked={draft.isTestSystem}
          onChange={(isTestSystem) => onDraft({ isTestSystem })}
        />
      )}
      <div class="actions">
        <Button kind="primary" type="submit" busy={busy}>
          {t.test}
        </Button>
        <span class="faint" role="status">
          {busy && t.testing}
        </span>
      </div>
    </Form>
  );
}
