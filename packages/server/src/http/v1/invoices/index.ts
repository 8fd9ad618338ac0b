import type { Route } from '../../route.ts';
import { creditInvoiceRoute } from './credit.ts';
import { listInvoicesRoute } from './list.ts';
import { invoicePdfRoute } from './pdf.ts';
import { readInvoiceRoute } from './read.ts';
import { readRemindersRoute, setRemindersRoute } from './reminders.ts';
import { changeLogoRoute, changeSettingsRoute, readSettingsRoute } from './settings.ts';
import { readTaxesRoute, setTaxesRoute } from './taxes.ts';

export const invoiceRoutes: readonly Route[] = [
  listInvoicesRoute,
  readSettingsRoute,
  changeSettingsRoute,
  changeLogoRoute,
  readTaxesRoute,
  setTaxesRoute,
  readRemindersRoute,
  setRemindersRoute,
  readInvoiceRoute,
  invoicePdfRoute,
  creditInvoiceRoute,
];
