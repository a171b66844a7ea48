import { expect, test } from 'vitest'
import { pathWithoutLayout, pathIn } from './layout.ts'

test.each([
  ['/dashboard', '/desktop'],
  ['/students', '/desktop/students'],
  ['/class-center', '/desktop/class-center'],
])('maps %s to %s in the desktop layout, and back', (page, desktop) => {
  expect([
    pathIn('mobile', page),
    pathIn('desktop', page),
    pathWithoutLayout(page),
    pathWithoutLayout(desktop),
  ]).toEqual([page, desktop, page, page])
})

test('treats /desktop/ as the dashboard, but /desktops as another page', () => {
  expect([pathWithoutLayout('/desktop/'), pathWithoutLayout('/desktops')]).toEqual([
    '/dashboard',
    '/desktops',
  ])
})

test('removes /open from /open/students, but not from /opening', () => {
  expect([
    pathWithoutLayout('/open/students'),
    pathWithoutLayout('/open'),
    pathWithoutLayout('/opening'),
  ]).toEqual(['/students', '/dashboard', '/opening'])
})
