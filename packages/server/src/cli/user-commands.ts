import { allTenants } from '@namehold/postgres';
import { operatorId } from '../core/actors.ts';
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
    throw new UsageError('give the account: --reseller ID, or --operator');
  return id ?? operatorId;
}

function roleOf(call: Call): Role {
  const given = optional(call, 'role') ?? 'owner';
  const role = roles.find((each) => each === given);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}`);
  return role;
}

const outcomeOf = ({ code, email, expiresAt }: MadeCode, what: string): Outcome => ({
  lines: [
    `${what} for ${email}, valid once until ${expiresAt.toISOString()}. Redeem it with POST /v1/session/code. It is shown only once:`,
    code,
  ],
  json: { email, code, expires_at: expiresAt },
});

const invite: Command = {
  name: 'user invite',
  aliases: ['person invite'],
  summary: 'Create an invitation code for a user of an account',
  usage: 'user invite EMAIL --reseller ID | --operator [--role owner|staff|read_only] [--scopes domains:write,...]',
  options: {
    reseller: { type: 'string', about: 'Id of the account.' },
    operator: { type: 'boolean', about: "The operator's own account." },
    role: { type: 'string', about: 'owner (default), staff or read_only.' },
    scopes: { type: 'string', about: 'Scopes of staff, comma-separated.' },
  },
  async run(call) {
    const actor = cliActor(accountOf(call));
    const email = positional(call, 0, 'the email address');
    const member = { email, role: roleOf(call), scopes: optional(call, 'scopes')?.split(',') };
    return outcomeOf(await call.tools.withContext((ctx) => inviteUser(ctx, actor, member)), 'invitation code');
  },
};

const list: Command = {
  name: 'user list',
  aliases: ['person list'],
  summary: 'List users and their accounts',
  usage: 'user list [--reseller ID]',
  options: { reseller: { type: 'string', about: 'Only users of this account.' } },
  async run(call) {
    const id = optionalId(call, 'reseller');
    const users = await call.tools.withContext((ctx) => listUsers(ctx.db.as(allTenants), id, listed));
    const lines = users.map(
      ({ id: userId, email, name, reseller_id, role, scopes }) =>
        `${userId}  ${email}  ${name}  ${reseller_id === null ? 'without an account' : `reseller ${reseller_id}  ${role}  scopes ${scopes!.join(', ')}`}`,
    );
    return { lines, json: users.map(({ id: person_id, ...user }) => ({ person_id, ...user })) };
  },
};

const recover: Command = {
  name: 'user recover',
  aliases: ['person recover'],
  summary: 'Create a recovery code, with which a user sets a new password',
  usage: 'user recover EMAIL [--factors]',
  options: {
    factors: { type: 'boolean', about: 'Also remove passkeys, authenticator and recovery codes.' },
  },
  async run(call) {
    const email = positional(call, 0, 'the email address');
    const made = await call.tools.withContext((ctx) =>
      recoverUser(ctx, cliActor(operatorId), email, call.options.factors === true),
    );
    return outcomeOf(made, 'recovery code');
  },
};

export const userCommands: readonly Command[] = [invite, list, recover];
