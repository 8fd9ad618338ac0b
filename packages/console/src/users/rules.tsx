import { call } from '../api/call.ts';
import { Card } from '../components/card.tsx';
import { ErrorBanner } from '../components/error-banner.tsx';
import { Checkbox } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { toast } from '../components/toast.tsx';
import { useSubmit } from '../components/use-submit.ts';
import { invalidate, useResource } from '../data/resource.ts';
import { may } from '../session/current-session.ts';
import { messages } from './messages.ts';

/** The 2FA requirement, which owners can change. */
export function SignInRules() {
  const t = messages();
  const rules = useResource('/sign_in_rules', {});
  const { error, perform } = useSubmit();
  if (rules.error) return <ErrorBanner error={rules.error} onRetry={rules.refetch} />;
  if (!rules.data) return null;
  const ofAll = rules.data.second_factor === 'everybody';
  const change = async (all: boolean) => {
    await call('put', '/sign_in_rules', { body: { second_factor: all ? 'everybody' : 'owners' } });
    await invalidate('/sign_in_rules');
    toast(t.rulesSaved);
  };
  return (
    <Card title={t.rules}>
      {may('full') ? (
        <Form onSubmit={() => undefined} error={error}>
          <Checkbox
            name="second_factor"
            label={t.requireForAll}
            hint={t.requireForAllHint}
            checked={ofAll}
            onChange={(all) => void perform(() => change(all))}
          />
        </Form>
      ) : (
        <p>{ofAll ? t.requiredForAll : t.requiredForOwners}</p>
      )}
    </Card>
  );
}
