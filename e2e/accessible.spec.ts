import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { PATHS } from '../web/lib/paths.ts'
import { readBackground } from './colors.ts'
import { expect, expectAllAccessible, signIn, test } from './harness.ts'
import { createThreeStudents } from './students.ts'

/** For each screen, the spec that checks it with axe. This file tests only states that occur in no
 *  other spec. */
const SCREENS: Record<string, string> = {
  '/dashboard': 'dashboard',
  '/numbers': 'navigation',
  '/students': 'student-center',
  '/families': 'families',
  '/leads': 'leads',
  '/first-90-days': 'followups',
  '/students/:id': 'student-page',
  '/slipping-away': 'slipping-away',
  '/plans': 'plans',
  '/belts': 'belts',
  '/belts/ready': 'belts',
  '/gradings': 'gradings',
  '/gradings/:id': 'gradings',
  '/import-students': 'import-students',
  '/attendance': 'attendance',
  '/class-center': 'class-center',
  '/schedule': 'tonight',
  '/holidays': 'tonight',
  '/payment-center': 'payment-center',
  '/payment-tracking': 'payment-center',
  '/cash-count': 'receipts',
  '/receipts': 'receipts',
  '/receipts/:id': 'receipts',
  '/statements/:of/:id': 'receipts',
  '/payment-figures': 'payment-figures',
  '/owing': 'owing',
  '/message-center': 'message-center',
  '/messages': 'conversations',
  '/announcements': 'message-center',
  '/sms-setup': 'sms-setup',
  '/simulator': 'messages-history',
  '/automatic-reminders': 'automated-reminders',
  '/notification-settings': 'notification-settings',
  '/security': 'sign-in-settings',
  '/audit-log': 'exports',
  '/staff': 'staff',
  '/hours': 'staff-hours',
  '/pay': 'staff-hours',
  '/my-certificates': 'staff-certificates',
  '/join-staff': 'staff',
  '/school': 'navigation',
  '/documents': 'documents',
  '/documents/:id': 'documents',
  '/my-documents': 'documents',
  '/online-payment': 'online-payment',
  '/online-payments': 'online-payments',
  '/public-page': 'public-page',
  '/trials': 'public-page',
  '/kiosks': 'kiosk',
  '/kiosk': 'kiosk',
  '/super-admin': 'super-admin',
  '/join/:code': 'join',
  '/accept-invitation': 'guardian-logins',
  '/consent-form': 'consent',
  '/privacy': 'privacy',
  '/reset-password': 'password-reset',
  '/recover-account': 'account-recovery',
  '/certificate/:code': 'gradings',
}
/** Pages of plain HTML outside the app. */
const DOCUMENTS = ['landing', 'login', 'signing']
/** For each file that opens a dialog, the spec that checks the dialog. */
const DIALOGS: Record<string, string> = {
  'trial-offer-dialog': 'public-page',
  'page-photos': 'public-page',
  account: 'layouts',
  'document-dialog': 'documents',
  'document-rules-dialog': 'documents',
  'paper-dialog': 'documents',
  'publish-dialog': 'documents',
  'sign-sheet': 'documents',
  'signature-list': 'documents',
  'add-class-dialog': 'class-center',
  'date-actions-sheet': 'tonight',
  'add-date-dialog': 'tonight',
  'calendar-feed': 'tonight',
  'add-holiday-sheet': 'tonight',
  'move-dialog': 'tonight',
  'other-classes-sheet': 'tonight',
  'substitute-dialog': 'tonight',
  'text-students-dialog': 'tonight',
  'follow-plan-dialog': 'followups',
  'lead-dialogs': 'leads',
  'lead-sheet': 'leads',
  'note-dialog': 'leads',
  'sources-sheet': 'leads',
  'spoken-consent-dialog': 'leads',
  'fair-dialog': 'leads',
  'autopay-dialog': 'autopay',
  'stop-autopay-dialog': 'autopay',
  'stop-for-payer-dialog': 'autopay',
  'announcement-sheet': 'dashboard',
  'audit-log-dialog': 'super-admin',
  'authenticator-dialogs': 'sign-in-settings',
  'recovery-codes': 'sign-in-settings',
  'passkey-dialogs': 'passkeys',
  'batch-sheet': 'messages-history',
  'bookkeeping-sheet': 'payment-figures',
  'figure-list': 'payment-figures',
  'bulk-message-dialog': 'announcements',
  compose: 'announcements',
  'dojo-data': 'exports',
  'shortcuts-sheet': 'navigation',
  school: 'tonight-families',
  'download-csv-sheet': 'exports',
  'edit-class-dialog': 'class-center',
  'class-choice-sheet': 'student-page',
  'end-login': 'student-page',
  'delete-student-dialog': 'edit-student',
  'edit-student-dialog': 'edit-student',
  'enroll-dialog': 'enrollment',
  'find-dialog': 'find',
  'leave-dialog': 'leaving',
  'forgot-password-dialog': 'password-reset',
  'import-students': 'import-history',
  invitation: 'instructor-settings',
  'mark-dialog': 'attendance',
  'medical-sheet': 'student-links',
  messages: 'conversations',
  'notes-dialog': 'student-page',
  'notification-dialogs': 'app-notifications',
  'notification-panel': 'notifications',
  'password-dialog': 'super-admin',
  'payment-dialog': 'payment-sheet',
  'right-removal': 'families',
  'recent-imports': 'import-students',
  'registration-dialog': 'sensei-registration',
  'reminder-dialog': 'message-center',
  'online-payment-dialog': 'online-payment',
  'pay-link-sheet': 'online-payment',
  'online-payment-sheet': 'online-payments',
  'refund-dialog': 'online-payments',
  'remove-account-dialog': 'twilio-account',
  'reset-dialog': 'payment-center',
  'settings-dialog': 'instructor-settings',
  'status-dialog': 'super-admin',
  'student-data-dialog': 'exports',
  'vacation-dialog': 'student-page',
  'contact-dialog': 'guardian-home',
  'sibling-prices-dialog': 'sibling-prices',
  'sales-tax-dialog': 'sales-tax',
  'promise-dialog': 'owing',
  'late-fees-dialog': 'owing',
  'late-fee-rule-dialog': 'owing',
  'start-dialog': 'memberships',
  'change-dialog': 'memberships',
  'end-dialog': 'memberships',
  'hold-dialog': 'memberships',
  'hold-rows': 'memberships',
  'unpaid-dialog': 'online-students',
  'pack-dialog': 'memberships',
  'end-own-dialog': 'memberships',
  'approve-dialog': 'memberships',
  'new-plan-sheet': 'plans',
  'plan-dialog': 'plans',
  'price-dialog': 'memberships',
  'rules-dialog': 'plans',
  'plan-sheet': 'gradings',
  'add-sheet': 'gradings',
  'candidate-sheet': 'gradings',
  'edit-sheet': 'gradings',
  'invite-sheet': 'gradings',
  'finish-dialog': 'gradings',
  'family-changes': 'families',
  'family-dialog': 'families',
  'guardian-dialog': 'families',
  'guardian-link': 'families',
  'link-dialog': 'unknown-numbers',
  'consent-dialog': 'conversations',
  'guardian-access': 'grown-up',
  'templates-dialog': 'conversations',
  'text-person-dialog': 'conversations',
  'templates-sheet': 'belts',
  'ladder-dialog': 'belts',
  'move-students-dialog': 'belts',
  'style-dialog': 'belts',
  'promote-sheet': 'belts',
  'plan-with-dialog': 'belts',
  'promote-dialog': 'belts-student',
  'photo-dialog': 'pictures',
  'school-look': 'pictures',
  'share-card-dialog': 'pictures',
  'undo-button': 'belts-student',
  'use-removal': 'belts',
  kiosks: 'kiosk',
  'switch-on-dialogs': 'kiosk',
  'pin-dialog': 'kiosk',
  'check-in-sheet': 'kiosk-codes',
  'own-pin-dialog': 'kiosk-codes',
  'month-sheet': 'payment-center',
  'payment-options-sheet': 'payment-center',
  'take-payment-dialog': 'owing',
  'vacation-question': 'conversations',
  'invite-dialog': 'staff',
  'sent-invitation': 'staff',
  'person-dialog': 'staff',
  'certificates-sheet': 'staff-certificates',
  'certificate-dialogs': 'staff-certificates',
  'certificate-kinds-sheet': 'staff-certificates',
  'ownership-dialog': 'staff',
  'rights-table': 'staff',
  'hours-dialogs': 'staff-hours',
  'work-pin-dialog': 'staff-hours',
  'close-period': 'staff-hours',
  'rates-dialog': 'staff-hours',
  'add-rate-dialog': 'staff-hours',
  'write-to-school': 'guardian-home',
}

/** Waits for the content before it checks, because axe checks only what is on the page. */
async function expectShownAccessibly(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0)
  await expectAllAccessible(page)
}

test('checks every screen, page and dialog with axe', () => {
  expect(Object.values(PATHS).toSorted()).toEqual(Object.keys(SCREENS).toSorted())
  const dialogFiles = globSync('web/**/*.tsx', {
    // The dialogs of the other folders are made of these components.
    exclude: ['web/dist/**', 'web/node_modules/**', 'web/ui/!(download-csv-sheet).tsx'],
  })
    .filter((file) =>
      /<(Sheet|FormDialog|DownloadSheet|ConfirmDialog|MessageDialog)\b/.test(
        readFileSync(file, 'utf8'),
      ),
    )
    .map((file) => basename(file, '.tsx'))
  expect(dialogFiles.toSorted()).toEqual(Object.keys(DIALOGS).toSorted())
  // Matches `expectAccessible(page)` and `expectAllAccessible(page)`.
  for (const spec of new Set([...Object.values(SCREENS), ...DOCUMENTS, ...Object.values(DIALOGS)]))
    expect(readFileSync(`e2e/${spec}.spec.ts`, 'utf8'), spec).toContain('Accessible(page)')
})

test('pages for unknown addresses are accessible', { tag: '@long' }, async ({ page }) => {
  for (const path of ['/nowhere', '/reset-password', '/recover-account']) {
    await page.goto(path)
    await expectShownAccessibly(page, page.getByRole('heading', { level: 1 }))
  }
})

test('empty screens are accessible', { tag: '@long' }, async ({ page, dojo, visit }) => {
  await signIn(page, dojo)
  for (const path of ['/students', '/attendance', '/payment-center', '/simulator']) {
    await visit(path)
    await expectShownAccessibly(page, page.getByRole('main'))
  }
})

test('the drop-in search is accessible', { tag: '@long' }, async ({ page, dojo, visit }) => {
  const { dragons } = await createThreeStudents(dojo)
  await signIn(page, dojo)
  await visit(`/attendance?class=${dragons.id}&date=2026-03-02`)
  await page.getByLabel('Add a drop-in').fill('ben')
  await expectShownAccessibly(page, page.getByRole('button', { name: 'Mark present' }))
})

test('shows who is present in forced colors', async ({ page, dojo, visit }) => {
  const { dragons } = await createThreeStudents(dojo)
  await signIn(page, dojo)
  await page.emulateMedia({ forcedColors: 'active' })
  await visit(`/attendance?class=${dragons.id}&date=2026-03-02`)
  const presentButton = page.getByRole('button', { name: 'Present', exact: true })
  await presentButton.click()
  await expect(presentButton).toHaveAttribute('aria-pressed', 'true')
  expect(await readBackground(presentButton)).not.toBe(
    await readBackground(page.getByRole('button', { name: 'Absent', exact: true })),
  )
})
