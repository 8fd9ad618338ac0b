import { allTenants } from '@namehold/base';
import { operatorId } from '../core/accounts/account.ts';
import { inviteUser, type MadeCode, recoverUser } from '../core/users/invite.ts';
import { listUsers } from '../core/users/user.sql.ts';
import { type Role, roles } from '../core/users/user.ts';
import {
  type Call,
  type Command,
  cliActor,
  type Outcome,
  optional,
  optionalId,
  positional,
  UsageError,
} from './command.ts';

const listed = 1_000;

function accountOf(call: Call): string {
  const id = optionalId(call, 'reseller');
  if ((id === undefined) === (call.options.operator !== true))
    throw new UsageError('say which account: --reseller ID, or --operator');
  return id ?? operatorId;
}

function roleOf(call: Call): Role {
  const given = optional(call, 'role') ?? 'owner';
  const role = roles.find((each) => each === given);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`);
  return role;
}

const told = ({ code, email, expiresAt }: MadeCode, what: string): Outcome => ({
  lines: [
    `${what} for ${email}, good once until ${expiresAt.toISOString()}; redeemed with POST /v1/session/code. It is shown this once:`,
    code,
  ],
  json: { email, code, expires_at: expiresAt },
});

const invite: Command = {
  name: 'person invite',
  summary: 'Make a code by which somebody can sign in to an account',
  usage: 'person invite EMAIL --reseller ID | --operator [--role owner|staff|read_only] [--scopes domains:write,...]',
  options: {
    reseller: { type: 'string', about: 'Id of the account.' },
    operator: { type: 'boolean', about: "The operator's own account." },
    role: { type: 'string', about: 'owner (default), staff or read_only.' },
    scopes: { type: 'string', about: 'What staff may do, comma-separated.' },
  },
  async run(call) {
    const actor = cliActor(accountOf(call));
    const email = positional(call, 0, 'the e-mail address');
    const member = { email, role: roleOf(call), scopes: optional(call, 'scopes')?.split(',') };
    return told(await call.tools.withContext((ctx) => inviteUser(ctx, actor, member)), 'an invitation');
  },
};

const list: Command = {
  name: 'person list',
  summary: 'List who can sign in, and where',
  usage: 'person list [--reseller ID]',
  options: { reseller: { type: 'string', about: 'Only members of this account.' } },
  async run(call) {
    const id = optionalId(call, 'reseller');
    const people = await call.tools.withContext((ctx) => listUsers(ctx.db.as(allTenants), id, listed));
    const lines = people.map(
      ({ id: userId, email, name, reseller_id, role, scopes }) =>
        `${userId}  ${email}  ${name}  ${reseller_id === null ? 'in no account' : `reseller ${reseller_id}  ${role}  scopes ${scopes!.join(', ')}`}`,
    );
    return { lines, json: people.map(({ id: person_id, ...user }) => ({ person_id, ...user })) };
  },
};

const recover: Command = {
  name: 'person recover',
  summary: 'Make a code by which somebody gets a new password',
  usage: 'person recover EMAIL [--factors]',
  options: {
    factors: { type: 'boolean', about: 'Passkeys, authenticator and recovery codes are lost too: removes them.' },
  },
  async run(call) {
    const email = positional(call, 0, 'the e-mail address');
    const made = await call.tools.withContext((ctx) =>
      recoverUser(ctx, cliActor(operatorId), email, call.options.factors === true),
    );
    return told(made, 'a code for a new password');
  },
};

export const userCommands: readonly Command[] = [invite, list, recover];
