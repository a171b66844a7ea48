import { formatDecimal, formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import type { OnlinePaymentState } from '@tatami/contract/online-payment/online-payment'
import { now } from '../lib/clock.ts'
import { formatFullDate } from '../lib/format-day.ts'
import { escapeHtml } from '../lib/html.ts'
import type { ComingDebit } from './autopay/coming-debit.ts'
import type { NextDue } from './next-month.ts'

/** `stand_in`: with a test key, at a server that stands in for Stripe. */
export type PayMode = 'live' | 'test' | 'stand_in' | 'simulation'

type PaidLine = { name: string; cents: number }

type FormerPayment = {
  state: OnlinePaymentState
  cents: number
  isDeclined: boolean
  /** Null unless it is paid. */
  paidOn: string | null
  refundedCents: number
  lines: readonly PaidLine[]
}

export type PayPage = {
  schoolName: string
  color: string | null
  logo: string | null
  mode: PayMode
  /** `note`: why it costs less than usual. */
  lines: readonly (PaidLine & { note: string | null })[]
  /** What credit has paid already, in cents. */
  usedCreditCents: number
  /** What is on its way by bank debit, in cents. */
  pendingCents: number
  /** What is owed besides for the same charges, which can be paid after the money has arrived. */
  waitingCents: number
  /** What autopay will do. Null without autopay. */
  comingDebit: ComingDebit | null
  /** What is due next month. Null unless nothing is owed now. */
  nextDue: NextDue | null
  /** The payment that the payer comes back from. */
  payment: FormerPayment | null
  /** What the page showed before, if that is no longer owed. In cents. */
  formerCents: number | null
  /** What was owed when the link was sent, if that has changed. In cents. */
  sentCents: number | null
  /** The part that the payer has entered and cannot pay, and why. */
  wrongPart: { text: string; error: string } | null
  /** The payer has pressed Pay for another amount at the same time, which ended this payment. */
  isReplaced: boolean
  /** Why the payer cannot pay right now. */
  error: string | null
}

const STYLE = `
:root { color-scheme: light dark; --ink: #24201b; --dim: #6b645b; --paper: #faf7f2;
  --card: #fff; --line: #ddd6cc; --good: #e3f4e6; --warn: #fdf0d5 }
@media (prefers-color-scheme: dark) { :root { --ink: #f3efe9; --dim: #b8b0a6; --paper: #17140f;
  --card: #221e18; --line: #3d372e; --good: #16341f; --warn: #40320f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.5 system-ui, sans-serif }
main, footer { max-width: 30rem; margin: 0 auto; padding: 1.25rem }
header { display: flex; align-items: center; gap: .75rem; margin-bottom: 1rem }
header img { height: 3rem; width: auto; max-width: 6rem; border-radius: 8px; background: #fff }
h1, h2 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.25rem; margin-bottom: 1rem; border-top: 4px solid var(--school) }
table { width: 100%; border-collapse: collapse }
td { padding: .5rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
td:last-child { text-align: right; white-space: nowrap; padding-left: 1rem;
  font-variant-numeric: tabular-nums }
.total td { border: 0; font-weight: 700; font-size: 1.25rem }
button { width: 100%; min-height: 3rem; margin-top: .5rem; border: 0; border-radius: 10px;
  background: var(--school); color: #fff; font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
.note { padding: .75rem 1rem; border-radius: 10px; margin: 0 0 1rem }
.good { background: var(--good) } .warn { background: var(--warn) }
summary { min-height: 2.75rem; padding: .6rem 0; cursor: pointer }
input { width: 100%; min-height: 2.75rem; padding: 0 .75rem; border: 1px solid var(--dim);
  border-radius: 10px; background: var(--paper); color: var(--ink); font: inherit }
small, footer { color: var(--dim); font-size: .875rem }
a { color: inherit }`

const DEFAULT_COLOR = '#7c3aed'
const formatCents = (cents: number): string => formatMoneyInText(toDollars(cents))

/** Payments in these modes pay nothing, so they have no receipt. */
const isPretend = ({ mode }: PayPage): boolean => mode === 'simulation' || mode === 'test'

/** What became of the payment that the payer comes back from. */
function paymentNote(page: PayPage): string {
  const { payment } = page
  if (!payment) return ''
  const { state, cents, isDeclined } = payment
  const amount = formatCents(cents)
  if (state === 'paid' && isPretend(page))
    return note('warn', `A real payment of ${amount} would have arrived now. Nothing was paid.`)
  if (state === 'paid' && payment.refundedCents > 0)
    return note('good', `${formatCents(payment.refundedCents)} of your payment was refunded.`)
  if (state === 'paid') return note('good', `Thank you! Your payment of ${amount} has arrived.`)
  if (state === 'processing')
    return note(
      'good',
      `Thank you! Your payment of ${amount} is on its way. Bank payments take up to four ` +
        'business days.',
    )
  if (state === 'unknown')
    return note('warn', 'We are waiting for the bank. Please do not pay again yet.')
  if (state === 'declined' || isDeclined)
    return note('warn', 'Your payment did not go through. You can try again or pay another way.')
  return note('warn', 'This payment was not finished.')
}

const note = (kind: 'good' | 'warn', text: string): string =>
  `<p class="note ${kind}" role="status">${escapeHtml(text)}</p>`

function row(name: string, cents: number, { className = '', detail = '' } = {}): string {
  const small = detail && `<br><small>${escapeHtml(detail)}</small>`
  return `<tr class="${className}"><td>${escapeHtml(name)}${small}</td><td>${formatCents(cents)}</td></tr>`
}

const totalRow = (label: string, cents: number): string => row(label, cents, { className: 'total' })

function changeNote({ formerCents, sentCents }: PayPage, totalCents: number): string {
  const total = formatCents(totalCents)
  if (formerCents !== null)
    return note(
      'warn',
      `The amount has changed from ${formatCents(formerCents)} to ${total} since you opened this ` +
        'page.',
    )
  if (sentCents === null) return ''
  return note(
    'warn',
    `You owed ${formatCents(sentCents)} when we sent you this link. Now it is ${total}.`,
  )
}

function receiptCard(page: PayPage): string {
  const { payment } = page
  if (payment?.state !== 'paid' || payment.paidOn === null || isPretend(page)) return ''
  const { lines, cents, paidOn, refundedCents } = payment
  const rows = lines.map((line) => row(line.name, line.cents)).join('')
  return `<section class="card"><h2>Receipt</h2>
<table>${rows}${totalRow('Paid online', cents)}${refundedCents > 0 ? row('Refunded', 0 - refundedCents) : ''}</table>
<p><small>Paid on ${formatFullDate(paidOn)}. You can print or save this page.</small></p></section>`
}

function amountCard(page: PayPage): string {
  const { lines, schoolName, error } = page
  const totalCents = lines.reduce((sum, { cents }) => sum + cents, 0)
  if (totalCents === 0)
    return `<p>${nothingToPay(page)}
${nextDueSentence(page)}</p>`
  const rows = lines.map(({ name, cents, note: detail }) =>
    row(name, cents, { detail: detail ?? '' }),
  )
  const table = `${page.isReplaced ? note('warn', REPLACED_CHECKOUT) : ''}${changeNote(page, totalCents)}
<table>${rows.join('')}${totalRow('Total', totalCents)}</table>${creditNote(page)}
${page.waitingCents > 0 ? `<p>${waitingSentence(page)}</p>` : ''}`
  if (error) return `${table}${note('warn', error)}`
  return `${table}<form method="post"><input type="hidden" name="shown" value="${totalCents}">
<button>Pay ${formatCents(totalCents)}</button></form>
${partForm(page, totalCents)}
<p><small>You pay by card or bank account on a secure page of Stripe.
${escapeHtml(schoolName)} does not see your card number.</small></p>
${autopayNote(page)}`
}

const REPLACED_CHECKOUT =
  'Pay was pressed for two different amounts at the same time, so this payment was canceled. ' +
  'Nothing was paid here. If the other payment was not finished, you can pay below.'

function autopayNote({ mode, comingDebit }: PayPage): string {
  if (mode === 'simulation') return ''
  if (comingDebit === null) return AUTOPAY_LINK
  return comingDebit.paysOn === null
    ? ''
    : `<p>Autopay will pay this on ${formatFullDate(comingDebit.paysOn)}. You don’t have to do anything.</p>`
}

function nothingToPay(page: PayPage): string {
  if (page.waitingCents > 0) return waitingSentence(page)
  return page.pendingCents > 0 ? 'Nothing else to pay.' : 'Nothing to pay right now.'
}

const waitingSentence = ({ waitingCents }: PayPage): string =>
  `${formatCents(waitingCents)} more is owed. You can pay it here once the bank payment has arrived.`

/** A reminder with this link may come before the day on which the month is due. */
const nextDueSentence = ({ nextDue }: PayPage): string =>
  nextDue === null
    ? ''
    : `${formatCents(nextDue.cents)} is due on ${formatFullDate(nextDue.dueOn)}. You can pay it here ` +
      'from that day on.'

/** Two parents may each pay a part. The field suggests half. */
function partForm({ wrongPart }: PayPage, totalCents: number): string {
  const half = formatDecimal(toDollars(Math.ceil(totalCents / 2)))
  return `<details${wrongPart === null ? '' : ' open'}><summary>Pay a part</summary>
<form method="post"><input type="hidden" name="shown" value="${totalCents}">
<label>Amount in dollars <input name="part" inputmode="decimal" autocomplete="off"
value="${escapeHtml(wrongPart?.text ?? half)}"${wrongPart === null ? '' : ' aria-invalid="true" aria-describedby="wrong"'}></label>
${wrongPart === null ? '' : `<p id="wrong" class="note warn" role="alert">${escapeHtml(wrongPart.error)}</p>`}
<button>Pay this part</button></form></details>`
}

const AUTOPAY_LINK =
  '<p><a href="/dashboard">Set up autopay</a> <small>after you log in</small></p>'

const creditNote = ({ usedCreditCents }: PayPage): string =>
  usedCreditCents > 0
    ? `<p><small>Your credit has already paid ${formatCents(usedCreditCents)}.</small></p>`
    : ''

const document = (title: string, color: string | null, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${STYLE}
:root { --school: ${color ?? DEFAULT_COLOR} }</style>
</head>
<body>
<main>${body}</main>
<footer>Tatami · Run your dojo, not your paperwork. · © ${now().getFullYear()} Tatami</footer>
</body>
</html>`

const HOME_LINK = '<p><a href="/dashboard">Go to your home page</a></p>'

/** Plain HTML that needs no JavaScript. It names nobody but the students, by first name. */
export function renderPayPage(page: PayPage): string {
  const { pendingCents } = page
  const pendingNote =
    pendingCents > 0 && page.payment?.state !== 'processing'
      ? note('good', `${formatCents(pendingCents)} is on its way from the bank.`)
      : ''
  return withSign(
    page,
    `${paymentNote(page)}${pendingNote}${receiptCard(page)}
<div class="card">${amountCard(page)}</div>${page.payment ? HOME_LINK : ''}`,
  )
}

export type SchoolSign = Pick<PayPage, 'schoolName' | 'color' | 'logo'> & { mode?: PayMode }

const MODE_NOTES: Record<PayMode, string> = {
  live: '',
  test: 'Test mode: no real money is taken, so what is owed stays the same.',
  stand_in: 'Test mode: no real money is taken.',
  simulation: 'Simulation: no money is taken, and what is owed stays the same.',
}

/** Under the name and the logo of the school. */
function withSign({ schoolName, color, logo, mode = 'live' }: SchoolSign, body: string): string {
  const image = logo === null ? '' : `<img src="${escapeHtml(logo)}" alt="">`
  const header = `<header>${image}<h1>${escapeHtml(schoolName)}</h1></header>`
  const modeNote = MODE_NOTES[mode] && note('warn', MODE_NOTES[mode])
  return document(`Pay ${schoolName}`, color, `${header}\n${modeNote}\n${body}`)
}

/** Another page of the school. `card` is HTML. */
export const renderPage = (sign: SchoolSign, card: string): string =>
  withSign(sign, `<div class="card">${card}</div>`)

/** For a link that leads nowhere. */
export const renderMessagePage = (message: string): string =>
  document('Pay', null, `<div class="card"><h1>${escapeHtml(message)}</h1></div>`)
