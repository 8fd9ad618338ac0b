import type { Route } from '../../route.ts';
import { accountBalanceRoute, accountFundsRoute } from '../account/balance.ts';
import { importPriceListRoute, setPriceListRoute } from '../account/price-list.ts';
import { readPriceRulesRoute, setPriceRulesRoute } from '../account/price-rules.ts';
import { accountPricesRoute } from '../account/prices.ts';
import { accountSeriesRoute } from '../account/series.ts';
import { accountTransactionRoute } from '../account/transaction.ts';
import { accountTransactionsRoute } from '../account/transactions.ts';
import { customerBalanceRoute, customerFundsRoute } from '../customers/balance.ts';
import { debitCustomerRoute, fundCustomerRoute } from '../customers/fund.ts';
import { orderRoutes } from '../customers/orders.ts';
import { customerPricesRoute } from '../customers/prices.ts';
import { customerTransactionRoute, customerTransactionsRoute } from '../customers/transactions.ts';
import { createQuoteRoute, readQuoteRoute } from '../quotes/create.ts';
import { resellerBalanceRoute, resellerFundsRoute } from '../resellers/balance.ts';
import { setCreditLimitRoute } from '../resellers/credit-limit.ts';
import { debitResellerRoute } from '../resellers/debit-note.ts';
import { fundResellerRoute } from '../resellers/fund.ts';
import { resellerPricesRoute } from '../resellers/prices.ts';
import { resellerTransactionRoute } from '../resellers/transaction.ts';
import { resellerTransactionsRoute } from '../resellers/transactions.ts';
import { statementRoutes } from './statements.ts';

/** Everything about money, at any path. */
export const billingRoutes: readonly Route[] = [
  accountBalanceRoute,
  accountFundsRoute,
  accountPricesRoute,
  accountSeriesRoute,
  accountTransactionsRoute,
  accountTransactionRoute,
  readPriceRulesRoute,
  setPriceRulesRoute,
  setPriceListRoute,
  importPriceListRoute,
  customerPricesRoute,
  customerBalanceRoute,
  customerFundsRoute,
  customerTransactionsRoute,
  customerTransactionRoute,
  fundCustomerRoute,
  debitCustomerRoute,
  ...orderRoutes,
  ...statementRoutes,
  resellerPricesRoute,
  resellerBalanceRoute,
  resellerFundsRoute,
  setCreditLimitRoute,
  resellerTransactionsRoute,
  resellerTransactionRoute,
  fundResellerRoute,
  debitResellerRoute,
  createQuoteRoute,
  readQuoteRoute,
];
