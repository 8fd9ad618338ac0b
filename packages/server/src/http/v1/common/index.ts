import type { Route } from '../../route.ts';
import { agreementRoute } from './agreements.ts';
import { countriesRoute } from './countries.ts';
import { currenciesRoute } from './currencies.ts';
import { currencyRoute } from './currency.ts';
import { statesRoute } from './states.ts';
import { tldRoute } from './tld.ts';
import { tldsRoute } from './tlds.ts';

export const commonRoutes: readonly Route[] = [
  countriesRoute,
  statesRoute,
  currenciesRoute,
  currencyRoute,
  agreementRoute,
  tldsRoute,
  tldRoute,
];
