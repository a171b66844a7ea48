import { expect, test } from 'vitest'
import { listDownloads } from './check-bundle-size.ts'

const manifest = {
  'index.html': { file: 'assets/landing.js', dynamicImports: ['main'] },
  main: { file: 'assets/main.js', imports: ['shared'], dynamicImports: ['students.tsx'] },
  shared: { file: 'assets/shared.js' },
  'students.tsx': {
    file: 'assets/students.js',
    imports: ['list', 'main'],
    dynamicImports: ['dialog.tsx'],
  },
  list: { file: 'assets/list.js', imports: ['shared'] },
  'dialog.tsx': { file: 'assets/dialog.js' },
}

test('counts each static import of a screen and of the app once, but no dynamic imports', () => {
  const [landing, students] = listDownloads(
    manifest,
    { landing: '<script src="/assets/landing.js">' },
    '<script src="/assets/main.js">',
  )
  expect(landing?.files).toEqual(['assets/landing.js'])
  expect(students?.files.toSorted()).toEqual([
    'assets/list.js',
    'assets/main.js',
    'assets/shared.js',
    'assets/students.js',
  ])
})
