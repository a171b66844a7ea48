import { formatMoneyInText } from '@tatami/contract/lib/money'
import { escapeHtml } from '../lib/html.ts'
import { formatTimeIn, renderZone, type VisiblePage } from '../public-page/public-page.ts'
import { callLink, renderPage, trialHref, type TrialView } from './booking-pages.ts'
import type { TrialPaymentRow } from './payments.ts'
import { TRIAL_WORDS } from './words.ts'

type PayPage = {
  payment: TrialPaymentRow
  /** Where the visitor goes on to Stripe. */
  checkoutHref: string
  /** True if Stripe has just not responded. */
  isStripeSilent: boolean
}

/** What visitors see before they pay, and after a payment that booked nothing. */
export function renderPayPage(visiblePage: VisiblePage, view: TrialView, page: PayPage): string {
  const { payment } = page
  if (payment.state === 'open' && payment.lapsed_at === null)
    return renderOpen(visiblePage, view, page)
  const words = TRIAL_WORDS[view.language]
  const isLate = payment.state === 'open' || payment.state === 'expired'
  return renderPage(
    visiblePage,
    view,
    isLate ? words.payOverTitle : words.refundTitle,
    `<p class="note" role="status">${isLate ? words.payOver : words.refundNote}</p>
<p><a class="button" href="${trialHref(view)}">${words.chooseClass}</a></p>
${callLink(visiblePage, view)}`,
  )
}

/** Stripe's page opens in a tab of its own if this one is in a frame on another site. */
function renderOpen(
  visiblePage: VisiblePage,
  view: TrialView,
  { payment, checkoutHref, isStripeSilent }: PayPage,
): string {
  const words = TRIAL_WORDS[view.language]
  const { timeZone } = visiblePage
  const time = formatTimeIn(view.language, timeZone, new Date(payment.expires_at))
  const target = view.isWidget ? ' target="_blank" rel="noopener"' : ''
  const parts = [
    isStripeSilent ? `<p class="note" role="alert">${words.stripeSilent}</p>` : '',
    payment.is_live ? '' : `<p class="note">${words.payTest}</p>`,
    `<p role="status">${escapeHtml(words.payNote(time))}</p>`,
    renderZone(timeZone, view.language),
    `<p><a class="button" href="${escapeHtml(checkoutHref)}"${target}>${words.pay(formatMoneyInText(payment.amount))}</a></p>`,
    `<p class="dim">${words.payStripe}</p>`,
  ]
  return renderPage(visiblePage, view, words.payTitle, parts.join('\n'))
}
