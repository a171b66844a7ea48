import { salesTaxApi } from '@tatami/contract/ledger/sales-tax'
import { type App, serve } from '../http/serve.ts'
import { listSalesTaxes, setSalesTaxes } from './sales-taxes.ts'

export const salesTaxRoutes = (app: App) =>
  serve(app, salesTaxApi, {
    list: ({ tx }) => listSalesTaxes(tx),
    set: ({ tx, caller, body }) => setSalesTaxes(tx, caller, body),
  })
