import { expect, test } from 'vitest'
import { pathWithoutLayout, pathIn } from './layout.ts'

test.each([
  ['/dashboard', '/desktop'],
  ['/students', '/desktop/students'],
  ['/class-center', '/desktop/class-center'],
])('the path %s is %s in the desktop layout', (path, desktopPath) => {
  expect([
    pathIn('mobile', path),
    pathIn('desktop', path),
    pathWithoutLayout(path),
    pathWithoutLayout(desktopPath),
  ]).toEqual([path, desktopPath, path, path])
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
