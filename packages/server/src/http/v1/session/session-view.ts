import { z } from 'zod';
import type { AppContext } from '../../../core/app-context.ts';
import { shownBrand } from '../../../core/brands/brand.ts';
import { type OwnCustomerSession, readCustomerSession } from '../../../core/customers/own-session.ts';
import { accessLevels, actingCustomerId, scopesOfAccess } from '../../../core/model/customer-access.ts';
import type { OpenedSession, Origin } from '../../../core/users/begin-session.ts';
import { type OwnSession, readSession } from '../../../core/users/own-session.ts';
import { languages, type MembershipRow, roles, type User } from '../../../core/users/user.ts';
import { deviceCookie } from '../../identity/device-cookie.ts';
import { sessionCookie } from '../../identity/session-cookie.ts';
import { Answer } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { showBrand, shownBrandView } from '../brand/brand-view.ts';

export const userView = z
  .object({
    person_id: z.string(),
    email: z.string(),
    name: z.string(),
    language: z.enum(languages),
    time_zone: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'SessionUser', description: 'The user of a session.' });

const membershipView = z
  .object({
    reseller_id: z.string(),
    company: z.string(),
    role: z.enum([...roles, 'customer']),
    scopes: z.array(z.string()),
    is_operator: z.boolean().describe('Whether the account is the operator account.'),
    factor_due_at: z
      .string()
      .nullable()
      .describe('By then the user must set up a second factor. Null: done, or not required.'),
  })
  .meta({ id: 'Membership', description: 'Role and scopes of a user in one account.' });

export const accessField = z.enum(accessLevels).describe('Access of the customer.');

const customerAccessView = z.object({ customer_id: z.string(), access: accessField });

export const sessionView = z
  .object({
    session_id: z.string(),
    person: userView.describe('The signed-in user.'),
    account: membershipView.describe('The account in use.'),
    accounts: z.array(membershipView).describe('All accounts of the user.'),
    customer: customerAccessView.optional().describe('Present if a customer is signed in.'),
    factors_end_at: z
      .string()
      .nullable()
      .describe('When the second factors of the user are removed, on request. Null: no request.'),
    created_at: z.string(),
    idle_ends_at: z.string().describe('When it ends without further requests.'),
    ends_at: z.string(),
    brand: shownBrandView.nullable().describe('Appearance of the pages. Null: the default.'),
    is_sandbox: z.boolean().describe('Whether this is a sandbox, in which domains and money are not real.'),
    business_time: z.string().describe('Business time for domains and money. A sandbox can move it.'),
  })
  .meta({ id: 'Session', description: 'A session: the user, the account in use, and its end.' });

export const showUser = (person: User): z.output<typeof userView> => ({
  person_id: person.id,
  email: person.email,
  name: person.name,
  language: person.language,
  time_zone: person.time_zone,
  created_at: instantText(person.created_at),
});

const showMembership = ({ parent_id, factor_due_at, ...row }: MembershipRow): z.output<typeof membershipView> => ({
  ...row,
  is_operator: parent_id === null,
  factor_due_at: factor_due_at && instantText(factor_due_at),
});

type Who = Omit<z.output<typeof sessionView>, 'brand' | 'is_sandbox' | 'business_time'>;

const showSession = (own: OwnSession): Who => ({
  session_id: own.session.id,
  person: showUser(own.user),
  account: showMembership(own.account),
  accounts: own.accounts.map(showMembership),
  factors_end_at: own.factorsEndAt && instantText(own.factorsEndAt),
  created_at: instantText(own.session.created_at),
  idle_ends_at: instantText(own.idleEndsAt),
  ends_at: instantText(own.session.ends_at),
});

/** A customer is shown as a user with one account. */
export const showCustomerUser = ({ customer }: OwnCustomerSession): z.output<typeof userView> => ({
  person_id: actingCustomerId(customer.id),
  email: customer.email,
  name: customer.name,
  language: /^(id\b|indonesia)/i.test(customer.lang_id) ? 'id' : 'en',
  time_zone: 'UTC',
  created_at: instantText(customer.created_at),
});

function showCustomerSession(own: OwnCustomerSession): Who {
  const { customer, session } = own;
  const { reseller_id, company, access } = customer;
  const account = {
    reseller_id,
    company,
    role: 'customer' as const,
    scopes: scopesOfAccess(access),
    is_operator: false,
    factor_due_at: null,
  };
  return {
    session_id: session.id,
    person: showCustomerUser(own),
    account,
    accounts: [account],
    customer: { customer_id: customer.id, access },
    factors_end_at: null,
    created_at: instantText(session.created_at),
    idle_ends_at: instantText(own.idleEndsAt),
    ends_at: instantText(session.ends_at),
  };
}

export async function sessionBody(
  ctx: AppContext,
  { customerId, ...of }: Pick<OpenedSession, 'sessionId' | 'userId' | 'customerId'>,
): Promise<z.output<typeof sessionView>> {
  const who =
    customerId === undefined
      ? showSession(await readSession(ctx, of))
      : showCustomerSession(await readCustomerSession(ctx, { ...of, customerId }));
  const brand = await shownBrand(ctx, who.account.reseller_id);
  return {
    ...who,
    brand: brand ? showBrand(brand) : null,
    is_sandbox: ctx.config.mode === 'sandbox',
    business_time: instantText(ctx.clock.now()),
  };
}

/** The secret is only in the cookie. After sign-in, the browser is known. */
export async function answerOpened(
  ctx: AppContext,
  opened: OpenedSession,
  from?: Pick<Origin, 'device'>,
): Promise<Answer> {
  const { methods, login } = opened;
  const body = methods ? { methods } : await sessionBody(ctx, opened);
  const cookies = [sessionCookie(ctx.config, opened.secret, opened.endsAt, ctx.wall.now())];
  if (from && login && !methods) cookies.push(deviceCookie(ctx, from.device, login));
  return new Answer(body, { ...(methods ? { status: 202 } : {}), headers: { 'Set-Cookie': cookies } });
}

export const userExample: z.output<typeof userView> = {
  person_id: 'per_06gxsvmka9v7qbwbdq2svf8e6g',
  email: 'sari@reseller.example',
  name: 'Sari Dewi',
  language: 'id',
  time_zone: 'Asia/Jakarta',
  created_at: '2026-11-15T09:00:00Z',
};

const accountExample: z.output<typeof membershipView> = {
  reseller_id: '1000',
  company: 'Demo Reseller',
  role: 'owner',
  scopes: ['full'],
  is_operator: false,
  factor_due_at: null,
};

export const sessionExample: z.output<typeof sessionView> = {
  session_id: 'ses_06gxsvmka9v7qbwbdq2svf8e6g',
  person: userExample,
  account: accountExample,
  accounts: [accountExample],
  factors_end_at: null,
  created_at: '2026-11-15T09:00:00Z',
  idle_ends_at: '2026-11-15T21:00:00Z',
  ends_at: '2026-12-15T09:00:00Z',
  brand: null,
  is_sandbox: true,
  business_time: '2027-03-01T09:00:00Z',
};
