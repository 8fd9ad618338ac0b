import { call } from '../api/call.ts';
import { changed, useResource } from '../data/resource.ts';
import { useAct } from '../parts/act.ts';
import { Card } from '../parts/card.tsx';
import { Checkbox } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { toast } from '../parts/toast.tsx';
import { TroubleNote } from '../parts/trouble-note.tsx';
import { may } from '../session/who.ts';
import { words } from './words.ts';

/** Of whom a second factor is demanded; an owner's to say. */
export function SignInRules() {
  const w = words();
  const rules = useResource('/sign_in_rules', {});
  const { trouble, act } = useAct();
  if (rules.trouble) return <TroubleNote trouble={rules.trouble} onAgain={rules.again} />;
  if (!rules.data) return null;
  const ofAll = rules.data.second_factor === 'everybody';
  const change = async (all: boolean) => {
    await call('put', '/sign_in_rules', { body: { second_factor: all ? 'everybody' : 'owners' } });
    await changed('/sign_in_rules');
    toast(w.rulesSaved);
  };
  return (
    <Card title={w.rules}>
      {may('full') ? (
        <Form onSubmit={() => undefined} trouble={trouble}>
          <Checkbox
            name="second_factor"
            label={w.demandAll}
            hint={w.demandHint}
            checked={ofAll}
            onChange={(all) => void act(() => change(all))}
          />
        </Form>
      ) : (
        <p>{ofAll ? w.demandedOfAll : w.demandedOfOwners}</p>
      )}
    </Card>
  );
}
