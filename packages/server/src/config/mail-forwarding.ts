import { hostNames, setting } from './values.ts';

/** Forwarding of mail. */
export const mailForwardingSettings = {
  mailHosts: setting(
    'NAMEHOLD_MAIL_HOSTS',
    '',
    'Mail hosts (Postfix with namehold mx), the first before the others: names whose mail is forwarded point to them. Empty: in sandbox mode a name that stands for the receiver of the service; in production mail forwarding is not offered.',
    hostNames,
  ),
  mailDomain: setting(
    'NAMEHOLD_MAIL_DOMAIN',
    '',
    'Name in which forwarded mail is sent on (SRS), with an SPF record of its own; not a name of a customer. In production mail forwarding is not offered without it.',
    (value) => hostNames(value)[0],
  ),
};
