import { readFileSync } from 'node:fs'
import { SIGNING_PATH } from '@tatami/contract/documents/signing'
import { SOURCE_PATH } from '@tatami/contract/leads/sources'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { PAY_PATH } from '@tatami/contract/online-payment/online-payment'
import { PUBLIC_PAGE_PATH, WIDGET_PATH } from '@tatami/contract/public-page/public-page'
import { BOOKING_PATH } from '@tatami/contract/trials/trials'
import { expect, test } from 'vitest'

const source = readFileSync('web/public/sw.js', 'utf8')
const pattern = mustExist(/VISITORS =\s+\/(.*)\/\n/.exec(source)?.[1], 'The paths of visitors')
const visitorPaths = new RegExp(pattern.replaceAll('\\/', '/'))

test('the service worker never puts the app in place of a page for visitors', () => {
  const paths = [PUBLIC_PAGE_PATH, WIDGET_PATH, BOOKING_PATH, SIGNING_PATH, PAY_PATH, SOURCE_PATH]
  for (const path of paths) expect([path, visitorPaths.test(`${path}/abc`)]).toEqual([path, true])
  for (const path of ['/dashboard', '/students', '/trials', '/billing', '/work'])
    expect([path, visitorPaths.test(path)]).toEqual([path, false])
})
