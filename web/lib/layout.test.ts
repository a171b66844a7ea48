import { expect, test } from 'vitest'
import { pageOf, pathIn } from './layout.ts'

test.each([
  ['/dashboard', '/desktop'],
  ['/students', '/desktop/students'],
  ['/class-center', '/desktop/class-center'],
])('%s is %s on a desktop, and back', (page, desktop) => {
  expect([pathIn('mobile', page), pathIn('desktop', page), pageOf(page), pageOf(desktop)]).toEqual([
    page,
    desktop,
    page,
    page,
  ])
})

test('/desktop/ is the dashboard, and /desktops is not the desktop', () => {
  expect([pageOf('/desktop/'), pageOf('/desktops')]).toEqual(['/dashboard', '/desktops'])
})

test('/open/students leaves the layout to the device, and /opening is a page', () => {
  expect([pageOf('/open/students'), pageOf('/open'), pageOf('/opening')]).toEqual([
    '/students',
    '/dashboard',
    '/opening',
  ])
})
