import { expect, expectAccessible, signIn, test } from './harness.ts'

const LAST_BACKUP = {
  made_at: '2026-11-21T09:00:00.000Z',
  bytes: 12_345_678,
  file: '/srv/tatami/backups/tatami-nightly-2026-11-21T090000Z.zip',
}
const FAILURE = {
  at: '2026-11-22T09:00:00.000Z',
  reason: 'The disk of /srv/tatami/backups is nearly full.',
}
const STATUS_TEXTS = [
  [{ is_on: true, is_late: false, last: null, failure: null }, ['The first backup runs tonight']],
  [
    { is_on: true, is_late: false, last: LAST_BACKUP, failure: null },
    [
      'Last backup Nov 21, 2026',
      '12 MB, /srv/tatami/backups/tatami-nightly-2026-11-21T090000Z.zip',
    ],
  ],
  [
    { is_on: true, is_late: false, last: LAST_BACKUP, failure: FAILURE },
    ['Last backup Nov 21, 2026', 'Nov 22, 2026', FAILURE.reason],
  ],
  [
    { is_on: true, is_late: true, last: LAST_BACKUP, failure: FAILURE },
    ['No backup since Nov 21, 2026', FAILURE.reason],
  ],
  [{ is_on: false, is_late: false, last: null, failure: null }, ['Nightly backups are off']],
] as const

test(
  'the super admin sees when the last backup was made, and why one is missing',
  { tag: '@long' },
  async ({ page, superAdmin, layoutPath }) => {
    await signIn(page, superAdmin)
    for (const [status, texts] of STATUS_TEXTS) {
      await page.route('**/api/super-admin/backups', (route) => route.fulfill({ json: status }))
      await page.goto(`${layoutPath}/super-admin`)
      const panel = page.getByRole('region', { name: 'System configuration' })
      for (const text of texts) await expect(panel).toContainText(text)
      await expect(panel.getByRole('alert')).toHaveCount(
        'failure' in status && status.failure ? 1 : 0,
      )
      await page.unroute('**/api/super-admin/backups')
    }
    await expectAccessible(page)
  },
)
