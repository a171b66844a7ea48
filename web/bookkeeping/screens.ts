/** These screens load as one file, because they are small and usually opened together. */
export { CashCount } from './cash-count.tsx'
export { PaymentFiguresScreen } from './payment-figures.tsx'
export { ReceiptPage } from './receipt-page.tsx'
export { Receipts } from './receipts.tsx'
export { StatementPage } from './statement-page.tsx'
