import fc from 'fast-check';
import type { Action, Option } from './model.ts';

/** One step of a sequence. Numbers are positions in the present lists. */
export type Step =
  | { do: 'fundReseller' | 'debitReseller'; level: number; amount: number }
  | { do: 'fundCustomer' | 'debitCustomer'; customer: number; amount: number }
  | { do: 'order'; customer: number; action: Action; name: number; option: Option; again: boolean }
  | { do: 'pay'; bills: readonly number[]; deposit: boolean; again: boolean }
  | { do: 'payAddOnly'; bills: readonly number[] }
  | { do: 'execute'; bill: number; cancel: boolean }
  | { do: 'cancel' | 'retry'; bill: number }
  | { do: 'delete'; name: number }
  | { do: 'credit'; bill: number; part: number; reissue: boolean };

const level = fc.nat(2);
const customer = fc.nat(3);
const index = fc.nat(1_000);
const amount = fc.integer({ min: 1, max: 60_00 });
const of = <const D extends string>(what: D) => fc.constant(what);
const option = fc.constantFrom<Option>('no_invoice', 'keep_invoice', 'pay_invoice', 'only_add', 'only_add');
const sometimes = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: of('fundReseller'), level, amount }) },
  { weight: 1, arbitrary: fc.record({ do: of('debitReseller'), level, amount }) },
  { weight: 3, arbitrary: fc.record({ do: of('fundCustomer'), customer, amount }) },
  { weight: 1, arbitrary: fc.record({ do: of('debitCustomer'), customer, amount }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: of('order'),
      customer,
      action: fc.constantFrom<Action>('create', 'create', 'renew'),
      name: index,
      option: option,
      again: sometimes,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: of('pay'),
      bills: fc.array(index, { minLength: 1, maxLength: 3 }),
      deposit: fc.boolean(),
      again: sometimes,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: of('payAddOnly'), bills: fc.array(index, { minLength: 1, maxLength: 2 }) }) },
  { weight: 2, arbitrary: fc.record({ do: of('execute'), bill: index, cancel: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'retry' as const), bill: index }) },
  { weight: 2, arbitrary: fc.record({ do: of('delete'), name: index }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: of('credit'), bill: index, part: fc.integer({ min: 1, max: 100 }), reissue: sometimes }),
  },
);
