import { z } from 'zod';
import { liftFlag, raiseFlag } from '../../../../core/domains/change/flag.ts';
import { switchTheftProtection } from '../../../../core/domains/change/theft-protection.ts';
import { oneOf, text } from '../../../field.ts';
import type { Route } from '../../../route.ts';
import { changeRoute } from './change-route.ts';

const reason = text({ max: 500, about: 'The reason, for later readers.', example: 'dispute' }).optional();
const word = z.enum(['true', 'false']);
const theftView = z.object({ theft_protection: word });
const lockView = z.object({ locked: word, reason: z.string().nullable() });
const suspensionView = z.object({ suspended: word, reason: z.string().nullable() });

/** The three flags of a domain. The registry gets the union of their statuses. */
export const flagChangeRoutes: readonly Route[] = [
  changeRoute({
    method: 'PUT',
    path: '/theft_protection',
    customer: 'manage',
    summary: 'Switch theft protection on',
    description: 'Blocks transfers to another registrar.',
    fields: {},
    view: theftView,
    example: { output: { theft_protection: 'true' } },
    order: (ctx, caller, where) => switchTheftProtection(ctx, caller, where.domain, where.customerId, true),
  }),
  changeRoute({
    method: 'DELETE',
    path: '/theft_protection',
    customer: 'manage',
    sudo: true,
    summary: 'Switch theft protection off',
    description: 'Allows transfers to another registrar again.',
    fields: {},
    view: theftView,
    example: { output: { theft_protection: 'false' } },
    order: (ctx, caller, where) => switchTheftProtection(ctx, caller, where.domain, where.customerId, false),
  }),
  changeRoute({
    method: 'PUT',
    path: '/locked',
    summary: 'Lock a domain',
    description: 'Blocks transfers, changes and deletion until the lock is removed by its own call.',
    fields: { reason },
    view: lockView,
    example: { input: { reason: 'dispute' }, output: { locked: 'true', reason: 'dispute' } },
    order: (ctx, caller, where, input) => raiseFlag(ctx, caller, 'locked', where, { reason: input.reason }),
  }),
  changeRoute({
    method: 'DELETE',
    path: '/locked',
    sudo: true,
    summary: 'Remove the lock',
    description: 'Theft protection does not change.',
    fields: {},
    view: lockView,
    example: { output: { locked: 'false', reason: null } },
    order: (ctx, caller, where) => liftFlag(ctx, caller, 'locked', where),
  }),
  changeRoute({
    method: 'PUT',
    path: '/suspended',
    summary: 'Suspend a domain',
    description: 'Removes the domain from the DNS (clientHold).',
    fields: {
      reason,
      changes: oneOf(
        ['refused', 'allowed'],
        'Other changes until the suspension is lifted. Default: refused.',
      ).optional(),
    },
    view: suspensionView,
    example: { input: { reason: 'unpaid' }, output: { suspended: 'true', reason: 'unpaid' } },
    order: (ctx, caller, where, { reason: why, changes }) =>
      raiseFlag(ctx, caller, 'suspended', where, { reason: why, takesChanges: changes === 'allowed' }),
  }),
  changeRoute({
    method: 'DELETE',
    path: '/suspended',
    summary: 'Lift the suspension',
    description: 'Publishes the domain in the DNS again.',
    fields: {},
    view: suspensionView,
    example: { output: { suspended: 'false', reason: null } },
    order: (ctx, caller, where) => liftFlag(ctx, caller, 'suspended', where),
  }),
];
