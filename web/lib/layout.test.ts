import { expect, test } from 'vitest'
import { pathWithoutLayout, pathIn } from './layout.ts'

test.each([
  ['/dashboard', '/desktop'],
  ['/students', '/desktop/students'],
  ['/class-center', '/desktop/class-center'],
])('%s is %s on a desktop, and back', (page, desktop) => {
  expect([
    pathIn('mobile', page),
    pathIn('desktop', page),
    pathWithoutLayout(page),
    pathWithoutLayout(desktop),
  ]).toEqual([page, desktop, page, page])
})

test('/desktop/ is the dashboard, and /desktops is not the desktop', () => {
  expect([pathWithoutLayout('/desktop/'), pathWithoutLayout('/desktops')]).toEqual([
    '/dashboard',
    '/desktops',
  ])
})

test('/open/students leaves the layout to the device, and /opening is a page', () => {
  expect([
    pathWithoutLayout('/open/students'),
    pathWithoutLayout('/open'),
    pathWithoutLayout('/opening'),
  ]).toEqual(['/students', '/dashboard', '/opening'])
})
