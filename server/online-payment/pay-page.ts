import { formatMoneyInText, toDollars } from '@tatami/contract/lib/money'
import type { OnlinePaymentState } from '@tatami/contract/online-payment/online-payment'
import { now } from '../lib/clock.ts'
import { escapeHtml } from '../lib/html.ts'

export type PayPage = {
  schoolName: string
  color: string | null
  logo: string | null
  /** True if no real money moves. */
  isTest: boolean
  lines: readonly { name: string; cents: number }[]
  /** What is on its way by bank debit, in cents. */
  pendingCents: number
  /** The payment that the payer comes back from. */
  payment: { state: OnlinePaymentState; cents: number; isDeclined: boolean } | null
  /** What the page showed before, if that is no longer owed. In cents. */
  formerCents: number | null
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
  padding: 1.25rem; border-top: 4px solid var(--school) }
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
small, footer { color: var(--dim); font-size: .875rem }
a { color: inherit }`

const DEFAULT_COLOR = '#7c3aed'
const formatCents = (cents: number): string => formatMoneyInText(toDollars(cents))

/** What became of the payment that the payer comes back from. */
function paymentNote({ payment }: PayPage): string {
  if (!payment) return ''
  const { state, cents, isDeclined } = payment
  const amount = formatCents(cents)
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

const row = (name: string, cents: number, className = ''): string =>
  `<tr class="${className}"><td>${escapeHtml(name)}</td><td>${formatCents(cents)}</td></tr>`

function changeNote({ formerCents }: PayPage, totalCents: number): string {
  if (formerCents === null) return ''
  return note(
    'warn',
    `The amount has changed from ${formatCents(formerCents)} to ${formatCents(totalCents)} since ` +
      'you opened this page.',
  )
}

function amountCard(page: PayPage): string {
  const { lines, pendingCents, schoolName, error } = page
  const totalCents = lines.reduce((sum, { cents }) => sum + cents, 0)
  if (totalCents === 0)
    return `<p>${pendingCents > 0 ? 'Nothing else to pay.' : 'Nothing to pay right now.'}</p>`
  const rows = lines.map(({ name, cents }) => row(name, cents)).join('')
  const form = error
    ? note('warn', error)
    : `<form method="post"><input type="hidden" name="shown" value="${totalCents}">
<button>Pay ${formatCents(totalCents)}</button></form>`
  return `${changeNote(page, totalCents)}
<table>${rows}${row('Total', totalCents, 'total')}</table>${form}
<p><small>You pay by card or bank account on a secure page of Stripe.
${escapeHtml(schoolName)} does not see your card number.</small></p>`
}

const document = (title: string, color: string | null, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}
:root { --school: ${color ?? DEFAULT_COLOR} }</style>
</head>
<body>
<main>${body}</main>
<footer>Tatami · Run your dojo, not your paperwork. · © ${now().getFullYear()} Tatami</footer>
</body>
</html>`

/** Plain HTML that needs no JavaScript. It names nobody but the students, by first name. */
export function renderPayPage(page: PayPage): string {
  const { isTest, pendingCents } = page
  const pendingNote =
    pendingCents > 0 && page.payment?.state !== 'processing'
      ? note('good', `${formatCents(pendingCents)} is on its way from the bank.`)
      : ''
  return withSign(
    page,
    `${isTest ? note('warn', 'Test mode: no real money is taken.') : ''}
${paymentNote(page)}${pendingNote}
<div class="card">${amountCard(page)}</div>`,
  )
}

export type SchoolSign = Pick<PayPage, 'schoolName' | 'color' | 'logo'>

/** Under the name and the logo of the school. */
function withSign({ schoolName, color, logo }: SchoolSign, body: string): string {
  const image = logo === null ? '' : `<img src="${escapeHtml(logo)}" alt="">`
  const header = `<header>${image}<h1>${escapeHtml(schoolName)}</h1></header>`
  return document(`Pay ${schoolName}`, color, `${header}\n${body}`)
}

/** Another page of the school. `card` is HTML. */
export const renderPage = (sign: SchoolSign, card: string): string =>
  withSign(sign, `<div class="card">${card}</div>`)

/** For a link that leads nowhere. */
export const renderMessagePage = (message: string): string =>
  document('Pay', null, `<div class="card"><h1>${escapeHtml(message)}</h1></div>`)
