import { allTenants } from '@namehold/postgres';
import { changeReseller } from '../core/accounts/change.ts';
import { createReseller } from '../core/accounts/create.ts';
import { listAllResellers } from '../core/accounts/list-all.sql.ts';
import { setRegistrantManagement } from '../core/accounts/manage-registrants.ts';
import { setStatus } from '../core/accounts/suspend.ts';
import { operatorId } from '../core/actors.ts';
import type { AppContext } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import { previewRevocation, readKeys, revokeKeyById, rotateKey } from '../core/keys/change.ts';
import { addKey } from '../core/keys/create.ts';
import type { ApiKey } from '../core/keys/key.ts';
import {
  type Call,
  type Command,
  cliActor,
  optional,
  optionalId,
  positional,
  required,
  resellerId,
  UsageError,
} from './command.ts';

const text = (about: string) => ({ type: 'string' as const, about });

const partyOptions = {
  name: text('Name of the contact person.'),
  company: text('Company.'),
  email: text('Email address.'),
  country: text('Two-letter country code.'),
  city: text('City.'),
  state: text('State or province; default: Not Applicable.'),
  street: text('Street and number.'),
  zipcode: text('Postal code.'),
  phone: text('Telephone as +CC.number.'),
};

function readParty(call: Call) {
  const [, cc, number] = /^\+(\d{1,3})\.(\d{3,})$/.exec(required(call, 'phone')) ?? [];
  if (!cc || !number) throw new UsageError('--phone must look like +44.2079460000');
  return {
    name: required(call, 'name'),
    company: required(call, 'company'),
    email: required(call, 'email'),
    country: required(call, 'country'),
    city: required(call, 'city'),
    state: optional(call, 'state') ?? 'Not Applicable',
    street: [required(call, 'street')] as const,
    postalCode: required(call, 'zipcode'),
    phone: { callingCode: cc, number },
  };
}

/** Any reseller of the installation, not only the operator's own children. */
async function requireReseller(
  ctx: AppContext,
  id: string,
): Promise<{ parent_id: string | null; selling_currency: string }> {
  const found = (await listAllResellers(ctx.db.as(allTenants))).find((row) => row.id === id);
  if (!found) throw new Refusal('not_found', `Reseller ${id} not found.`);
  return found;
}

const resellerCreate: Command = {
  name: 'reseller create',
  summary: 'Create a reseller',
  usage:
    'reseller create --name NAME --company COMPANY --email ADDRESS --currency USD --country GB --city CITY --street STREET --zipcode CODE --phone +44.2079460000 [--parent ID]',
  options: {
    ...partyOptions,
    currency: text('Currency of the account.'),
    parent: text('Id of the parent reseller; default: the operator.'),
  },
  async run(call) {
    const party = readParty(call);
    const parent = optionalId(call, 'parent') ?? operatorId;
    const reseller = await call.tools.withContext(async (ctx) => {
      await requireReseller(ctx, parent);
      return createReseller(ctx, cliActor(parent), {
        ...party,
        sellingCurrency: required(call, 'currency'),
        password: ctx.ids.text(15, 'abcdefghjkmnpqrstuvwxyz23456789'),
      });
    });
    return {
      lines: [
        `reseller ${reseller.id} created. Create a key: namehold key create ${reseller.id} --label NAME --ip ADDRESS`,
      ],
      json: { reseller_id: reseller.id },
    };
  },
};

const resellerList: Command = {
  name: 'reseller list',
  summary: 'List all resellers',
  usage: 'reseller list',
  async run({ tools }) {
    const rows = await tools.withContext((ctx) => listAllResellers(ctx.db.as(allTenants)));
    const lines = rows.map(
      (row) =>
        `${row.id.padStart(6)}  parent ${(row.parent_id ?? '-').padStart(6)}  ${row.status.padEnd(10)}  ${row.selling_currency}  ${row.company} <${row.email}>`,
    );
    const json = rows.map(({ id, parent_id, ...row }) => ({ reseller_id: id, parent_reseller_id: parent_id, ...row }));
    return { lines, json };
  },
};

function statusCommand(verb: 'suspend' | 'activate', status: 'Suspended' | 'Active'): Command {
  return {
    name: `reseller ${verb}`,
    summary: `${verb === 'suspend' ? 'Suspend' : 'Activate'} a reseller; its calls and those of all accounts below it ${verb === 'suspend' ? 'are refused' : 'work again'} within five seconds`,
    usage: `reseller ${verb} ID`,
    async run(call) {
      const id = resellerId(call);
      await call.tools.withContext(async (ctx) => {
        const { parent_id } = await requireReseller(ctx, id);
        if (parent_id === null) throw new Refusal('conflict', `The operator account cannot be ${status}.`);
        // Only the parent of a reseller may change its status, so the parent is the actor.
        await setStatus(ctx, cliActor(parent_id), id, status, 'by the command line');
      });
      return { lines: [`reseller ${id} is ${status}`], json: { reseller_id: id, status } };
    },
  };
}

const resellerRegistrants: Command = {
  name: 'reseller registrants',
  aliases: ['reseller holders'],
  summary: 'Set whether the reseller or this service sends verification requests and notices to the registrants',
  usage: 'reseller registrants ID --by reseller|service',
  options: {
    by: text(
      'reseller: the reseller contacts its registrants and reports their confirmations; service: this service does (formerly platform).',
    ),
  },
  async run(call) {
    const [id, by] = [resellerId(call), required(call, 'by')];
    if (!['reseller', 'service', 'platform'].includes(by)) throw new UsageError('--by must be reseller or service');
    const byReseller = by === 'reseller';
    await call.tools.withContext((ctx) =>
      setRegistrantManagement(ctx, { ...cliActor(operatorId), isOperator: true }, id, byReseller),
    );
    return {
      lines: [`registrants of reseller ${id} are contacted by ${byReseller ? 'the reseller' : 'this service'}`],
      json: { reseller_id: id, looks_after_holders: byReseller },
    };
  },
};

function readTime(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const read = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T.+(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(read.getTime()))
    throw new UsageError('--expires must be a time such as 2027-01-31T00:00:00Z');
  return read;
}

const keyCreate: Command = {
  name: 'key create',
  summary: 'Create an API key for a reseller',
  usage:
    'key create RESELLER_ID --label NAME --ip ADDRESS[,RANGE...] [--scopes full,...] [--expires 2027-01-31T00:00:00Z]',
  options: {
    label: text('Label of the key.'),
    ip: text('Allowed IP addresses and ranges, comma-separated.'),
    scopes: text('Scopes, comma-separated; default: full.'),
    expires: text('Expiry time, RFC 3339.'),
  },
  async run(call) {
    const id = resellerId(call);
    const order = {
      label: required(call, 'label'),
      whitelist: required(call, 'ip').split(','),
      scopes: optional(call, 'scopes')?.split(','),
      expiresAt: readTime(optional(call, 'expires')),
    };
    const key = await call.tools.withContext(async (ctx) => {
      await requireReseller(ctx, id);
      return ctx.db.transaction(allTenants, (tx) => addKey(ctx, tx, cliActor(id), id, order));
    });
    return {
      lines: [`key ${key.id} for reseller ${id} created. The secret is shown only once:`, key.secret],
      json: { key_id: key.id, reseller_id: id, api_key: key.secret },
    };
  },
};

/** With the field names of the HTTP API. */
const plainKey = ({ id, previous_expires_at, ...key }: ApiKey) => ({
  key_id: id,
  ...key,
  previous_key_expires_at: previous_expires_at,
});

const keyList: Command = {
  name: 'key list',
  summary: 'List the API keys of a reseller',
  usage: 'key list RESELLER_ID',
  async run(call) {
    const id = resellerId(call);
    const keys = await call.tools.withContext(async (ctx) => {
      await requireReseller(ctx, id);
      return readKeys(ctx, cliActor(id));
    });
    const lines = keys.map(
      (key) =>
        `${key.id}  ${key.revoked_at ? 'revoked' : 'active '}  ${key.hint}  ${key.label}  from ${key.ip_whitelist.join(', ')}  scopes ${key.scopes.join(', ')}  issued by ${key.issued_by ?? '-'}`,
    );
    return { lines, json: keys.map(plainKey) };
  },
};

const keyRotate: Command = {
  name: 'key rotate',
  summary: 'Replace the secret of an API key; the old secret works until the overlap ends',
  usage: 'key rotate RESELLER_ID KEY_ID [--overlap SECONDS]',
  options: { overlap: text('Seconds for which the old secret still works; default: 86400.') },
  async run(call: Call) {
    const [id, keyId] = [resellerId(call), positional(call, 1, 'the id of the key')];
    const seconds = Number(optional(call, 'overlap') ?? '86400');
    if (!Number.isInteger(seconds) || seconds < 0) throw new UsageError('--overlap must be a whole number of seconds');
    const key = await call.tools.withContext((ctx) => rotateKey(ctx, cliActor(id), keyId, seconds * 1_000));
    return {
      lines: [`key ${key.id} of reseller ${id} has a new secret. It is shown only once:`, key.secret],
      json: {
        key_id: key.id,
        reseller_id: id,
        api_key: key.secret,
        previous_key_expires_at: key.previous_expires_at,
      },
    };
  },
};

const operatorChange: Command = {
  name: 'operator change',
  summary: "Change the operator's name, address and contact data, as used in its profile, mail and documents",
  usage:
    'operator change --name NAME --company COMPANY --email ADDRESS --country GB --city CITY --street STREET --zipcode CODE --phone +44.2079460000 [--state STATE]',
  options: partyOptions,
  async run(call) {
    const changed = await call.tools.withContext(async (ctx) => {
      const { selling_currency: sellingCurrency } = await requireReseller(ctx, operatorId);
      return changeReseller(ctx, cliActor(operatorId), operatorId, { ...readParty(call), sellingCurrency });
    });
    return { lines: [`operator changed to ${changed.company}`], json: { reseller_id: changed.id } };
  },
};

const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revoke an API key',
  usage: 'key revoke RESELLER_ID KEY_ID [--with-issued-keys] [--dry-run]',
  options: {
    'with-issued-keys': {
      type: 'boolean',
      about:
        'Also revoke the keys that it issued: those that it created or rotated, those from its invitations of sub-resellers, and those that these issued.',
    },
    'dry-run': { type: 'boolean', about: 'Only list the keys that it issued; nothing is revoked.' },
  },
  async run(call: Call) {
    const [id, keyId] = [resellerId(call), positional(call, 1, 'the id of the key')];
    const withIssuedKeys = call.options['with-issued-keys'] === true;
    const isDryRun = call.options['dry-run'] === true;
    const { issued, issuedBelow, waiting } = await call.tools.withContext((ctx) =>
      isDryRun
        ? previewRevocation(ctx, cliActor(id), keyId)
        : revokeKeyById(ctx, cliActor(id), keyId, { withIssuedKeys }),
    );
    const outcome = isDryRun && withIssuedKeys ? 'would also be revoked' : 'still works';
    const also = issued.map(
      (key) =>
        `key ${key.id} (${key.label}), issued by ${key.issued_by}, ${key.revoked_at ? 'is also revoked' : outcome}`,
    );
    const below = issuedBelow.map(
      (key) =>
        `key ${key.id} of reseller ${key.reseller_id}, from an invitation or temporary password of these keys, ${key.revoked_at ? 'is also revoked' : outcome}`,
    );
    const declines = waiting.map(
      (operation) =>
        `operation ${operation} waits for approval and was requested by ${isDryRun ? 'these keys' : 'a revoked key: decline it'}`,
    );
    return {
      lines: [
        isDryRun ? `key ${keyId} would be revoked; nothing is done` : `key ${keyId} revoked`,
        ...also,
        ...below,
        ...declines,
      ],
      json: {
        key_id: keyId,
        revoked: !isDryRun,
        issued_keys: issued.map(plainKey),
        issued_keys_of_sub_accounts: issuedBelow.map(plainKey),
        waiting_operations: waiting,
      },
    };
  },
};

export const accountCommands: readonly Command[] = [
  resellerCreate,
  resellerList,
  statusCommand('suspend', 'Suspended'),
  statusCommand('activate', 'Active'),
  resellerRegistrants,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  operatorChange,
];
