import { text } from '../../field.ts';
import type { Route } from '../../route.ts';
import { notYet } from '../not-yet.ts';

const instead = 'Point the name at a service of your own with the DNS calls.';
const mail = { path: '/domains/{domain_id}/email_forwarding', instead };
const email = text({ max: 320, about: 'The address below the domain.', example: 'info@example-shop.com' });
const forward_to = text({ max: 2_000, about: 'Where it goes.', example: 'somebody@example.net' });

export const mailForwardingRoutes: readonly Route[] = [
  notYet({
    ...mail,
    summary: 'Mail forwarding',
    input: { email, forward_to },
    example: { email: 'info@example-shop.com', forward_to: 'somebody@example.net' },
  }),
  notYet({ ...mail, method: 'GET', summary: 'Listing mail forwards' }),
  notYet({ ...mail, path: `${mail.path}/catch_all`, method: 'GET', summary: 'Reading the catch-all address' }),
  notYet({
    ...mail,
    path: `${mail.path}/catch_all`,
    method: 'PUT',
    summary: 'The catch-all address',
    input: { email: email.optional() },
    example: { email: 'somebody@example.net' },
  }),
  notYet({
    ...mail,
    path: `${mail.path}/{email}`,
    method: 'GET',
    summary: 'Reading a mail forward',
    input: { email },
    example: { email: 'info@example-shop.com' },
  }),
  notYet({
    ...mail,
    path: `${mail.path}/{email}`,
    method: 'PUT',
    summary: 'Changing a mail forward',
    input: { email, forward_to },
    example: { email: 'info@example-shop.com', forward_to: 'somebody@example.net' },
  }),
  notYet({
    ...mail,
    path: `${mail.path}/{email}`,
    method: 'DELETE',
    summary: 'Deleting a mail forward',
    input: { email },
    example: { email: 'info@example-shop.com' },
  }),
];
