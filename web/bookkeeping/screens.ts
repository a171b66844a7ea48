/** The screens of the books come in one file: each is small, and who opens one mostly goes on to the next. */
export { CashCount } from './cash-count.tsx'
export { PaymentFiguresScreen } from './payment-figures.tsx'
export { ReceiptPage } from './receipt-page.tsx'
export { Receipts } from './receipts.tsx'
export { StatementPage } from './statement-page.tsx'
