import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Facts } from '../components/facts.tsx';
import { SelectField, TextArea, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Money } from '../components/money.tsx';
import { StatusIcon } from '../components/status-icon.tsx';
import type { Submission } from '../components/use-submit.ts';
import { mostTlds, type SaleDraft, type Service, type Tested, tldsIn } from './upstream-draft.ts';
import { messages } from './upstream-messages.ts';

/** TLDs that are listed at once. An account can have a thousand. */
const shownTlds = 60;

function Account({ title, of }: { readonly title: string; readonly of: Tested }) {
  const t = messages();
  return (
    <Card title={t.steps.account} actions={<StatusIcon kind="good">{t.accepted(title)}</StatusIcon>}>
      <Facts
        rows={[
          [
            t.balance,
            of.balance === null ? t.notReported : <Money key="b" amount={of.balance} currency={of.currency} />,
          ],
          [
            t.domains,
            of.domains === null ? t.notReported : of.are_all_counted ? t.count(of.domains) : t.atLeast(of.domains),
          ],
          [t.tlds, of.tlds === null ? t.notReported : t.count(of.tlds.length)],
        ]}
      />
    </Card>
  );
}

interface Choosing {
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly onChosen: (tlds: readonly string[]) => void;
}

/** Selected TLDs stay visible during a search, so that they can be removed. */
function TldList({ offered, chosen, onChosen }: Choosing) {
  const t = messages();
  const [search, setSearch] = useState('');
  const has = search.trim().toLowerCase().replace(/^\./, '');
  const found = offered.filter((tld) => tld.includes(has) && !chosen.includes(tld));
  // The exact TLD comes before those that contain it.
  found.sort((a, b) => Number(b === has) - Number(a === has));
  const listed = [...chosen, ...found.slice(0, shownTlds)];
  const toggle = (tld: string, isOn: boolean) =>
    onChosen(isOn ? [...chosen, tld] : chosen.filter((each) => each !== tld));
  return (
    <fieldset class="tld-choice">
      <legend>{t.chooseTlds}</legend>
      <input
        type="search"
        class="filter"
        aria-label={t.filter}
        placeholder={t.filter}
        value={search}
        onInput={(event) => setSearch(event.currentTarget.value)}
        // Enter searches, and does not send the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ul>
        {listed.map((tld) => (
          <li key={tld}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(tld)}
                disabled={chosen.length >= mostTlds && !chosen.includes(tld)}
                onChange={(event) => toggle(tld, event.currentTarget.checked)}
              />
              .{tld}
            </label>
          </li>
        ))}
      </ul>
      {found.length === 0 && chosen.length === 0 && <p class="faint">{t.noneFound}</p>}
      <p class="faint" role="status">
        {t.chosen(chosen.length, mostTlds)}
        {found.length > shownTlds && ` · ${t.shown(shownTlds, found.length)}`}
      </p>
    </fieldset>
  );
}

/** For a service that does not report its TLDs. */
function NamedTlds({ chosen, onChosen }: Omit<Choosing, 'offered'>) {
  const t = messages();
  const [text, setText] = useState(chosen.join(', '));
  return (
    <TextArea
      name="tlds"
      label={t.nameTlds}
      hint={t.nameTldsHint}
      placeholder={t.nameTldsExample}
      rows={3}
      value={text}
      onText={(typed) => {
        setText(typed);
        onChosen(tldsIn(typed));
      }}
    />
  );
}

interface Props {
  readonly service: Service;
  readonly tested: Tested;
  readonly draft: SaleDraft;
  readonly onDraft: (change: Partial<SaleDraft>) => void;
  readonly sending: Submission;
  readonly onSubmit: () => void;
  readonly onBack: () => void;
}

/** What is sold, and at which margin. */
export function TldStep({ service, tested, draft, onDraft, sending, onSubmit, onBack }: Props) {
  const t = messages();
  const offered = tested.tlds?.map(({ tld }) => tld);
  const text = (name: 'margin' | 'step' | 'ending') => ({
    value: draft[name],
    autoComplete: 'off',
    isOptional: true,
    onText: (typed: string) => onDraft({ [name]: typed }),
  });
  return (
    <div class="stack">
      <Account title={service.title} of={tested} />
      <Form onSubmit={onSubmit} error={sending.error} labels={{ tlds: t.chooseTlds }}>
        {offered ? (
          <TldList offered={offered} chosen={draft.tlds} onChosen={(tlds) => onDraft({ tlds })} />
        ) : (
          <NamedTlds chosen={draft.tlds} onChosen={(tlds) => onDraft({ tlds })} />
        )}
        <TextField
          name="registry_id"
          label={t.connection}
          hint={t.connectionHint}
          autoComplete="off"
          maxLength={40}
          value={draft.registryId}
          onText={(registryId) => onDraft({ registryId })}
        />
        <SelectField
          name="target"
          label={t.target}
          value={draft.target}
          choices={(['customer', 'reseller'] as const).map((value) => ({ value, label: t.targets[value] }))}
          onChoice={(target) => onDraft({ target: target === 'reseller' ? 'reseller' : 'customer' })}
        />
        <TextField name="margin" label={t.margin} hint={t.marginHint} placeholder="15%" {...text('margin')} />
        <TextField name="rounding_step" label={t.step} placeholder="1.00" inputMode="decimal" {...text('step')} />
        <TextField
          name="rounding_ending"
          label={t.ending}
          hint={t.endingHint}
          placeholder="0.99"
          inputMode="decimal"
          {...text('ending')}
        />
        <div class="actions">
          <Button kind="primary" type="submit" busy={sending.busy} disabled={draft.tlds.length === 0}>
            {t.review}
          </Button>
          <Button onClick={onBack}>{t.back}</Button>
          <span class="faint" role="status">
            {sending.busy && t.reviewing}
          </span>
        </div>
      </Form>
    </div>
  );
}
