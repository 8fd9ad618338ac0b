import type { Route } from '../../route.ts';
import { changeContactRoute } from './change.ts';
import { createContactRoute } from './create.ts';
import { defaultContactsRoute } from './defaults.ts';
import { deleteContactRoute } from './delete.ts';
import { contactExtraRoute } from './extra.ts';
import { listContactsRoute } from './list.ts';
import { readContactRoute } from './read.ts';
import { contactValidityRoute } from './validity.ts';

export const contactsRoutes: readonly Route[] = [
  createContactRoute,
  listContactsRoute,
  defaultContactsRoute,
  readContactRoute,
  changeContactRoute,
  deleteContactRoute,
  contactExtraRoute,
  contactValidityRoute,
];
